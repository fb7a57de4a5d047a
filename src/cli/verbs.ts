import { optionsWritten } from './options/deciding-options.js';
import type { Verb, VerbOption } from './options/options.js';
import table from './verbs.json' with { type: 'json' };

const loaders: Readonly<Record<string, Verb['load']>> = {
  init: () => import('./verbs/init.js'),
  doctor: () => import('./verbs/doctor.js'),
  run: () => import('./verbs/run.js'),
  check: () => import('./verbs/check.js'),
  report: () => import('./verbs/report.js'),
  evidence: () => import('./verbs/evidence.js'),
  diff: () => import('./verbs/diff.js'),
  baseline: () => import('./verbs/baseline.js'),
  validate: () => import('./verbs/validate.js'),
  list: () => import('./verbs/list.js'),
  merge: () => import('./verbs/merge.js'),
  prune: () => import('./verbs/prune.js'),
  capabilities: () => import('./verbs/capabilities.js'),
  shapes: () => import('./verbs/shapes.js'),
  clients: () => import('./verbs/clients.js'),
  judge: () => import('./verbs/judge.js'),
  rejudge: () => import('./verbs/rejudge.js'),
  simulate: () => import('./verbs/simulate.js'),
  completion: () => import('./verbs/completion.js'),
};

type WrittenVerb = Omit<Verb, 'options' | 'load'> & { readonly options: readonly (VerbOption | string)[] };

/** Every verb, in the groups and in the order of `chatspec --help`. */
export const verbGroups: Readonly<Record<string, readonly Verb[]>> = Object.fromEntries(
  Object.entries(table.groups as unknown as Readonly<Record<string, readonly WrittenVerb[]>>).map(([group, verbs]) => [
    group,
    verbs.map(verbOf),
  ]),
);

function verbOf({ options, ...verb }: WrittenVerb): Verb {
  const load = loaders[verb.usage.replace(/ .*/, '')];
  if (load === undefined) throw new TypeError(`no file has the verb ${verb.usage}`);
  return { ...verb, options: options.flatMap(optionsWritten), load };
}
