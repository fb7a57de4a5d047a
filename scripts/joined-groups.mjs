import { resolve } from 'node:path';

/** The entries, and verbs that stand for many others, by a name. */
const joining = {
  start: ['cli/main'],
  plan: ['cli/verbs/validate', 'cli/verbs/list'],
  init: ['cli/verbs/init'],
  library: ['index'],
  simulator: ['simulator/index', 'simulator/simulator-thread'],
  thread: ['run/judging/judge-thread'],
  judge: ['judge/index'],
  capabilities: ['capabilities/index'],
};

/**
 * Modules that the same of these need are joined, so that no entry loads what only another needs, and files never import
 * each other in a circle: what a module imports is needed wherever the module is. The rest is left to the bundler.
 */
export function joinedGroups() {
  let needs;
  const namesOf = (id, graph) =>
    (needs ??= needsIn(graph)).flatMap(([name, reached]) => (reached.has(id) ? [name] : []));
  // The bundler puts what a module imports into its group, unless an earlier group has it.
  return Object.keys(joining).map((_, index, { length }) => ({
    debugName: `joined by ${length - index}`,
    name: (id, graph) => {
      const names = namesOf(id, graph);
      return names.length === length - index ? names.join('-') : null;
    },
  }));
}

function needsIn(graph) {
  return Object.entries(joining).map(([name, files]) => {
    const own = files.map((file) => resolve(`src/${file}.ts`));
    const reached = new Set(own);
    for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
    // What an entry does when it is imported must not happen for the sake of what it shares with others.
    for (const id of own) reached.delete(id);
    return [name, reached];
  });
}
