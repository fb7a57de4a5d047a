import { describe, expect, test } from 'vitest';
import { reasons } from '../../src/judge/reasons.js';
import { outcomeClasses } from '../../src/judge/outcome-classes.js';
import type { Report } from '../../src/matrix/report-format.js';
import type { Behaviour } from '../../src/suite/probe.js';
import { startSimulator } from '../../src/simulator/index.js';
import { contradictedBy, mismatchesOf } from '../support/label-mismatches.js';
import { reportOf, runOf, type LabelRun } from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';

const labels = readLabels();

/** What the labels say, and what the runs found. */
export interface LabelledNight {
  /** By profile. */
  readonly reports: ReadonlyMap<string, Report>;
  /** The behaviours of the suites. */
  readonly rules: readonly Behaviour[];
  /** Of every profile that a label with a behaviour names. */
  readonly run: LabelRun;
}

/** The tests of labels.yaml, over a night that is there once they run. */
export function testLabels(night: () => LabelledNight): void {
  describe('the report of every profile', () => {
    test.each(labels)('$profile: matches its label', (label) => {
      expect(mismatchesOf(label, night().reports.get(label.profile)!)).toEqual([]);
    });

    test('leaves no behaviour undecided', () => {
      const notes = [...new Set(night().reports.values())].flatMap(({ run }) => run.notes);
      expect(notes.filter((note) => note.startsWith('behaviour'))).toEqual([]);
    });

    test('shows every behaviour of the built-in suites for some profile', () => {
      const ids = night().rules.map(({ id }) => id);
      expect(ids).not.toEqual([]);
      expect(missing(ids, (label) => label.behaviours ?? [])).toEqual([]);
    });
  });

  describe('without the rule of a behaviour', () => {
    test('exactly the profiles whose labels name it lack it', async () => {
      const showing = labels.filter(({ behaviours = [] }) => behaviours.length > 0);
      const { rules } = night();
      const run = runOf(night().run, new Set(showing.map(({ profile }) => profile)));
      expect(contradictedBy(showing, await reportOf(run, rules))).toEqual([]);
      for (const { id } of rules) {
        const others = rules.filter((rule) => rule.id !== id);
        const naming = showing.filter(({ behaviours }) => behaviours?.includes(id)).map(({ profile }) => profile);
        expect(naming, id).not.toEqual([]);
        expect(contradictedBy(showing, await reportOf(run, others)), id).toEqual(naming);
      }
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
}

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
