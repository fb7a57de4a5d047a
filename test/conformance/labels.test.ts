import { beforeAll, describe, expect, test } from 'vitest';
import { reasons } from '../../src/judge/reasons.js';
import { outcomeClasses } from '../../src/judge/outcome-classes.js';
import type { Report } from '../../src/matrix/report-format.js';
import { startSimulator } from '../../src/simulator/index.js';
import { loadBuiltin } from '../support/builtin-suites.js';
import { mismatchesOf } from '../support/label-mismatches.js';
import { planOfLabels, type Scope } from '../support/label-plan.js';
import { reportOf, runLabels } from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';

const labels = readLabels();
const hasShortTimeout = (label: Label): boolean => label.with?.timeout_s !== undefined;

describe('the report of every profile', () => {
  const reports = new Map<string, Report>();
  const behaviours = new Set<string>();

  const ask = async (asked: readonly Label[], scope: Scope): Promise<void> => {
    const { suites } = await loadBuiltin('core');
    const rules = suites.flatMap((suite) => suite.behaviours);
    const run = await runLabels(planOfLabels(asked, suites, scope));
    const report = await reportOf(run, rules);
    for (const { profile } of asked) reports.set(profile, report);
    for (const { id } of rules) behaviours.add(id);
  };

  beforeAll(async () => {
    // Time-outs of one second need a service that is not busy otherwise.
    await ask(labels.filter(hasShortTimeout), 'named');
    await ask(
      labels.filter((label) => !hasShortTimeout(label)),
      'nightly',
    );
  }, 300_000);

  test.each(labels)('$profile: matches its label', (label) => {
    expect(mismatchesOf(label, reports.get(label.profile)!)).toEqual([]);
  });

  test('leaves no behaviour undecided', () => {
    const notes = [...new Set(reports.values())].flatMap(({ run }) => run.notes);
    expect(notes.filter((note) => note.startsWith('behaviour'))).toEqual([]);
  });

  test('shows every behaviour of the built-in suites for some profile', () => {
    expect(behaviours.size).toBeGreaterThan(0);
    expect(missing(behaviours, (label) => label.behaviours ?? [])).toEqual([]);
  });
});

describe('the labels', () => {
  test('cover every profile exactly once', async () => {
    const simulator = await startSimulator();
    await simulator.close();
    expect(labels.map(({ profile }) => profile).sort()).toEqual([...simulator.models].sort());
  });

  test('name every outcome class', () => {
    expect(missing(outcomeClasses, (label) => found(label, 'class'))).toEqual([]);
  });

  test('name every reason', () => {
    expect(missing(reasons, (label) => found(label, 'reason'))).toEqual([]);
  });
});

function found({ cells = [], unreachable }: Label, name: 'class' | 'reason'): readonly (string | undefined)[] {
  return [...cells.map((cell) => cell[name]), unreachable?.[name]];
}

function missing(
  all: Iterable<string>,
  valuesOf: (label: Label) => readonly (string | undefined)[],
): readonly string[] {
  const present = new Set(labels.flatMap(valuesOf));
  return [...all].filter((one) => !present.has(one));
}
