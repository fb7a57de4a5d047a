// The imports that are allowed between rooms, as a lint rule, and a rule against circles of files. Ready-made rules for
// circles skip `import type`; this one counts it, because files that need each other's types are a circle too.
import { dirname, relative, resolve, sep } from 'node:path';
import { circleThrough, moduleGraph } from './module-graph.mjs';

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
