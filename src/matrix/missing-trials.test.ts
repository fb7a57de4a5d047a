import { expect, test } from 'vitest';
import { aFinding, aPlannedCell, countedTrials } from '../../test/support/build.js';
import type { Finding } from '../decide/course.js';
import type { PlannedCellChanges } from '../../test/support/build.js';
import { missingTrialsOf } from './run-exit-code.js';

const seen = (verdict: Finding['verdict'], total: number, needed: number): Finding =>
  aFinding(verdict === 'pass' ? total : 0, verdict === 'fail' ? total : 0, { verdict, needed });
const planned = (name: string, changes: PlannedCellChanges = {}) =>
  aPlannedCell({ path: `s/${name}`, trials: countedTrials(10), confirm: false, ...changes });

test('counts planned trials that a stop left out, not those that faults or doubts ask for', () => {
  const cells = ['whole', 'part', 'none', 'faults', 'decided', 'failing', 'waiting', 'behind', 'broken'].map((name) => {
    const needs = { waiting: ['none'], behind: ['waiting'], broken: ['failing', 'none'] }[name] ?? [];
    return planned(name, { needs: needs.map((need) => planned(need).cell.key) });
  });
  const keyOf = (name: string) => planned(name).cell.key;
  const findings = new Map<string, Finding>([
    [keyOf('whole'), seen('pass', 10, 0)],
    [keyOf('part'), seen('pass', 3, 7)],
    [keyOf('none'), seen('not_run', 0, 10)],
    [keyOf('faults'), seen('pass', 4, 6)],
    [keyOf('decided'), seen('fail', 10, 0)],
    [keyOf('failing'), seen('fail', 10, 0)],
    [keyOf('waiting'), seen('blocked', 0, 0)],
    [keyOf('behind'), seen('blocked', 0, 0)],
    [keyOf('broken'), seen('blocked', 0, 0)],
  ]);
  const stopped = new Set(['part', 'none', 'decided'].map(keyOf));
  expect(missingTrialsOf(cells, findings, stopped)).toEqual(
    new Map([
      [keyOf('part'), 7],
      [keyOf('none'), 10],
      [keyOf('waiting'), 10],
      [keyOf('behind'), 10],
    ]),
  );
});
