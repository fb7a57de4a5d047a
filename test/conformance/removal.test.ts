import { beforeAll, describe, expect, test } from 'vitest';
import type { Reason, Report } from '../../src/index.js';
import { checks, reasons } from '../../src/judge/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { contradictedBy } from '../support/label-mismatches.js';
import { eachOf, labelProject, rejudge, reportOf, runLabel, type LabelRun } from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';

// Rejudging cannot show anything for profiles that are only slow.
const named = readLabels()
  .filter((label) => label.with?.timeout_s === undefined)
  .filter(({ cells = [], unreachable }) => cells.length > 0 || unreachable !== undefined)
  .map((label): Label => ({ ...label, behaviours: [] }));

describe('the judge contradicts the labels without', () => {
  const recorded = new Map<Label, LabelRun>();

  beforeAll(async () => {
    const service = await startSimulator();
    const project = await labelProject(named);
    await eachOf(named, 16, async (label) => {
      recorded.set(label, await runLabel(service, project, label, 'named'));
    });
    await service.close();
  });

  const rejudged = async (label: Label, without?: (typeof checks)[number]): Promise<Report> =>
    reportOf(await rejudge(recorded.get(label)!, without), []);

  test('the complete judge agrees with them', async () => {
    for (const label of named) expect(contradictedBy([label], await rejudged(label))).toEqual([]);
  });

  test.each(checks)('check %s', async (check) => {
    for (const label of named) {
      // Later checks may rely on this one, so the judge may throw without it, which also counts as a contradiction.
      const found = await rejudged(label, check).then(
        (report) => contradictedBy([label], report),
        (error: unknown) => [String(error)],
      );
      if (found.length > 0) return;
    }
    expect.fail(`every label still matches without the check ${check}`);
  });

  test.each(reasons)('reason %s', async (reason) => {
    const naming = named.filter((label) => names(label, reason));
    expect(naming).not.toEqual([]);
    for (const label of naming) {
      expect(contradictedBy([label], without(reason, await rejudged(label)))).toEqual([label.profile]);
    }
  });
});

/**
 * A refusal without a reason of its own is unknown; in place of unknown itself, a rejected parameter is the closest.
 */
function without(reason: Reason, report: Report): Report {
  const instead = reason === 'unknown' ? 'parameter_rejected' : 'unknown';
  const replaced = <T extends { readonly reason: Reason | null }>(one: T): T =>
    one.reason === reason ? { ...one, reason: instead } : one;
  return {
    ...report,
    cells: report.cells.map(replaced),
    models: report.models.map((model) => ({
      ...model,
      unreachable: model.unreachable === null ? null : replaced(model.unreachable),
    })),
  };
}

function names({ cells = [], unreachable }: Label, reason: Reason): boolean {
  return unreachable?.reason === reason || cells.some((cell) => cell.reason === reason);
}
