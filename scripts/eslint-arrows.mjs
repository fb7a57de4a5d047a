// The arrows of the house as a lint rule: which room may import which, and no circle of files.
// Ready-made rules for circles skip `import type`; here a type that two files owe each other is a circle, too.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const importPattern = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** @returns {readonly string[]} the files that a source imports, of types as well */
const importsOf = (file, text) =>
  [...text.matchAll(importPattern)].map(([, path]) => resolve(dirname(file), path.replace(/\.js$/, '.ts')));

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** The way from a file back to itself along imports; null where there is none. */
function circleThrough(start, imports) {
  const from = new Map([[start, null]]);
  for (const file of from.keys()) {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return wayTo(file, from);
      if (!from.has(next)) from.set(next, file);
    }
  }
  return null;
}

function wayTo(file, from) {
  const way = [];
  for (let here = file; here !== null; here = from.get(here)) way.unshift(here);
  return way;
}

/**
 * @param {string} src the folder that holds the rooms
 * @param {Readonly<Record<string, readonly string[]>>} arrows each room and the rooms it may import; a room that is not
 *   named may import every other
 */
export function arrowsPlugin(src, arrows) {
  const roomOf = (file) => relative(src, file).split(sep)[0] ?? '';
  let graph = null;
  const imports = () =>
    (graph ??= new Map(sources(src).map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))])));

  const room = {
    meta: {
      type: 'problem',
      schema: [],
      messages: { arrow: 'src/{{room}} may import only {{allowed}}. See ARCHITECTURE.md.' },
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
          data: { room: here, allowed: allowed.join(', ') || 'nothing of the other rooms' },
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
