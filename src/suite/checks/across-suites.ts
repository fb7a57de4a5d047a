import { axesNamedIn, withLabels } from '../../cell/axis-labels.js';
import { compileGlob } from '../../cell/cell-pattern.js';
import { didYouMean } from '../../files/problems/nearest.js';
import { type Place, type Problem, problemAt, type Path, type Source } from '../../files/problems/problem.js';
import { capabilityThrough, enforceChannels, type Probe, type Suite } from '../probe.js';
import { behaviourFunctions, expressionFault } from './check-rules.js';

/** A suite as read, with the source of its places. */
export interface ReadSuite {
  readonly suite: Suite;
  readonly source: Source;
  /** The build has checked it: nothing is wrong in the suite itself. */
  readonly builtin: boolean;
}

/** A probe by its key, SUITE/PROBE, and where it is. */
interface PlacedProbe {
  readonly key: string;
  readonly probe: Probe;
  readonly source: Source;
  readonly path: Path;
}

type Probes = ReadonlyMap<string, PlacedProbe>;

/**
 * Problems between the suites, and in all that they say beside their probes.
 * @param complete every file was read without an error, so a name that is not here does not exist
 */
export function* acrossSuites(suites: readonly ReadSuite[], complete: boolean): Generator<Problem> {
  const probes: Probes = new Map(
    suites.flatMap(({ suite, source }) =>
      suite.probes.map((probe) => {
        const key = `${suite.name}/${probe.name}`;
        return [key, { key, probe, source, path: ['probes', probe.name] }] as const;
      }),
    ),
  );
  yield* behaviourProblems(suites);
  yield* takenNames(suites);
  if (complete) for (const placed of probes.values()) yield* unknownProbes(probes, placed);
  yield* needCycles(probes);
  if (complete) yield* unmeasuredForms(suites, probes);
}

function* behaviourProblems(suites: readonly ReadSuite[]): Generator<Problem> {
  for (const { suite, source } of suites.filter(({ builtin }) => !builtin)) {
    for (const [index, behaviour] of suite.behaviours.entries()) {
      for (const part of ['when', 'unless'] as const) {
        const fault = expressionFault(behaviour[part] ?? 'true', behaviourFunctions);
        if (fault === null) continue;
        const message = `${part} of "${behaviour.id}" is not JSONata: ${fault}`;
        yield problemAt(source, ['behaviours', index, part], message, 'see docs/outcomes.md');
      }
    }
  }
}

/** Names of suites, behaviours and families are unique over all files, and so are the forms of a need. */
function* takenNames(suites: readonly ReadSuite[]): Generator<Problem> {
  const places = new Map<string, () => Place>();
  for (const { suite, source } of suites) {
    const names: readonly (readonly [string, Path])[] = [
      [`the suite "${suite.name}"`, ['suite']],
      ...suite.behaviours.map(({ id }, at) => [`the behaviour "${id}"`, ['behaviours', at, 'id']] as const),
      ...suite.families.map(({ name }, at) => [`the family "${name}"`, ['families', at, 'name']] as const),
      ...suite.forms.map(
        ({ capability, need }, at) => [`the form ${capability} of ${need}`, ['forms', at, 'capability']] as const,
      ),
    ];
    for (const [name, path] of names) {
      const placeOfFirst = places.get(name);
      if (placeOfFirst === undefined) {
        places.set(name, () => source.spotOf(path).place);
      } else {
        const first = placeOfFirst();
        const message = `${name} exists already: ${first.file}, line ${first.line}`;
        yield problemAt(source, path, message, 'rename one of the two');
      }
    }
  }
}

/** Needed probes must exist, and the parts of a composite document must be probes of single keywords. */
function* unknownProbes(probes: Probes, { key, probe, source, path }: PlacedProbe): Generator<Problem> {
  for (const [list, verb, below] of [
    ['needs', 'needs', ['needs']],
    ['split', 'splits into', ['enforce', 'split']],
  ] as const) {
    for (const [index, { probe: name }] of probe[list].entries()) {
      const place = [...path, ...below, index];
      const named = probes.get(name)?.probe;
      if (named === undefined) {
        const hint = didYouMean(name, probes.keys(), 'probes') ?? 'is its suite listed under suites in the config?';
        yield problemAt(source, place, `${key} ${verb} ${name}, which no suite has`, hint);
      } else if (list === 'split' && (named.enforce === null || name === key)) {
        const message = name === key ? `${key} splits into itself` : `${name} is not a probe with enforce`;
        yield problemAt(source, place, message, 'name probes that break one of these keywords each');
      }
    }
  }
}

/** No probe may need itself by way of others. Each cycle is reported once, at the need that closes it. */
function* needCycles(probes: Probes): Generator<Problem> {
  const done = new Set<string>();
  for (const start of probes.keys()) {
    if (done.has(start)) continue;
    const open: { readonly key: string; next: number }[] = [{ key: start, next: 0 }];
    for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
      const index = here.next++;
      const placed = probes.get(here.key);
      const need = placed?.probe.needs[index]?.probe;
      if (placed === undefined || need === undefined) {
        done.add(here.key);
        open.pop();
        continue;
      }
      const from = open.findIndex(({ key }) => key === need);
      if (from >= 0) {
        const cycle = [...open.slice(from).map(({ key }) => key), need].join(' -> ');
        const message = `${placed.key} needs itself: ${cycle}`;
        yield problemAt(placed.source, [...placed.path, 'needs', index], message, 'remove one of these needs');
      } else if (!done.has(need) && probes.has(need)) {
        open.push({ key: need, next: 0 });
      }
    }
  }
}

/**
 * A form can be recommended, and a title shown, only if a probe measures the capability. Another config may list it.
 */
function* unmeasuredForms(suites: readonly ReadSuite[], probes: Probes): Generator<Problem> {
  // A family of core has the titles of builtin:extended too.
  const named = suites.flatMap(({ suite, source, builtin }) => [
    ...suite.forms.flatMap((form, index) =>
      (['capability', 'budget'] as const).map((part) => ({ source, id: form[part], path: ['forms', index, part] })),
    ),
    ...(builtin ? [] : suite.families).flatMap(({ titles = {} }, index) =>
      Object.keys(titles).map((id) => ({ source, id, path: ['families', index, 'titles', id] })),
    ),
  ]);
  if (named.length === 0) return;
  const capabilities = new Set([...probes.values()].flatMap(({ probe }) => capabilityNamesOf(probe)));
  const patterns = [...capabilities].filter((one) => one.includes('*')).map(compileGlob);
  for (const { source, id, path } of named) {
    if (id === null || capabilities.has(id) || patterns.some((matches) => matches(id))) continue;
    const message = `no probe measures the capability "${id}"`;
    yield problemAt(source, path, message, didYouMean(id, capabilities, 'capabilities'), { severity: 'warning' });
  }
}

/** The capability ids of a probe's cells, with `*` where labels are not known here or many combine. */
function capabilityNamesOf({ capability, axes, enforce }: Probe): readonly string[] {
  if (enforce !== null) return enforceChannels.map((channel) => capabilityThrough(channel, capability));
  const named = axesNamedIn(capability);
  const axis = axes.find(({ name }) => name === named[0]);
  const labels = axis?.kind === 'values' && named.length === 1 ? [...axis.points.keys()] : ['*'];
  return labels.map((label) => withLabels(capability, Object.fromEntries(named.map((name) => [name, label]))));
}
