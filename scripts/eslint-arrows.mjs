// The imports that are allowed between rooms, as a lint rule, and a rule against circles of files. Ready-made rules for
// circles skip `import type`; this one counts it, because files that need each other's types are a circle too.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * @param {string} src the folder that holds the rooms
 * @param {Readonly<Record<string, readonly string[]>>} arrows each room and the rooms it may import; a room that is not
 *   named may import every other
 */
export function arrowsPlugin(src, arrows) {
  const roomOf = (file) => relative(src, file).split(sep)[0] ?? '';
  let graph = null;
  const imports = () => (graph ??= moduleGraph(src));

  const room = {
    meta: {
      type: 'problem',
      schema: [],
      messages: { arrow: 'src/{{room}} may import {{allowed}}. See ARCHITECTURE.md.' },
    },
    create(context) {
      const here = roomOf(context.filename);
      const allowed = arrows[here];
      if (allowed === undefined) return {};
      const check = ({ source }) => {
        if (!source?.value?.startsWith('.')) return;
        const there = roomOf(resolve(dirname(context.filename), source.value));
        if (there === here || allowed.includes(there)) return;
        context.report({
          node: source,
          messageId: 'arrow',
          data: { room: here, allowed: allowed.length === 0 ? 'no other room' : `only ${allowed.join(', ')}` },
        });
      };
      return {
        ImportDeclaration: check,
        ImportExpression: check,
        ExportNamedDeclaration: check,
        ExportAllDeclaration: check,
        TSImportType: check,
      };
    },
  };

  const circle = {
    meta: { type: 'problem', schema: [], messages: { circle: 'These files import each other in a circle: {{way}}.' } },
    create: (context) => ({
      Program(node) {
        const way = circleThrough(context.filename, imports());
        if (way === null) return;
        const names = [...way, context.filename].map((file) => relative(src, file));
        context.report({ node, messageId: 'circle', data: { way: names.join(' -> ') } });
      },
    }),
  };

  return { rules: { room, circle } };
}

const importPattern = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, path]) =>
    resolve(dirname(file), path.replace(/\.js$/, '.ts')),
  );

/** TypeScript files, tests left out. */
const sourceFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** Each file with the files it imports, also of types. */
const moduleGraph = (folder) => new Map(sourceFiles(folder).map((file) => [file, [...new Set(importsOf(file))]]));

/** The shortest way from a file back to itself; null where there is none. */
function circleThrough(start, graph) {
  const cameFrom = new Map([[start, null]]);
  for (const file of cameFrom.keys()) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom);
      if (!cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return null;
}

function wayTo(file, cameFrom) {
  const way = [];
  for (let here = file; here !== null; here = cameFrom.get(here)) way.unshift(here);
  return way;
}
