import { describe, expect, test } from 'vitest';
import type { Behaviour, Report } from '../../src/index.js';
import { outcomeClasses, reasons } from '../../src/judge/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { mismatchesOf } from '../support/label-mismatches.js';
import { contradictedIn, type LabelRun } from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';

const labels = readLabels();

/** What the labels say, and what the runs found. */
export interface LabelledNight {
  /** By profile. */
  readonly reports: ReadonlyMap<string, Report>;
  /** The behaviours of the suites. */
  readonly rules: readonly Behaviour[];
  /** By profile. */
  readonly runs: ReadonlyMap<string, LabelRun>;
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
      const { rules, runs } = night();
      expect(await contradictedIn(runs, showing, rules)).toEqual(new Set());
      for (const { id } of rules) {
        const others = rules.filter((rule) => rule.id !== id);
        const naming = showing.filter(({ behaviours }) => behaviours?.includes(id)).map(({ profile }) => profile);
        expect(naming, id).not.toEqual([]);
        expect(await contradictedIn(runs, showing, others), id).toEqual(new Set(naming));
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
