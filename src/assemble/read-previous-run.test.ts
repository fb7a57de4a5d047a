import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFinding, aPlan, aReport, aReportCell, aReportModel, aTicket } from '../../test/support/build.js';
import { tempFolder } from '../../test/support/temp-folder.js';
import type { Config } from '../config/config.js';
import { planAfter } from '../plan/plan-after.js';
import { recordedPrevious, recordOf } from '../journal/previous-run.js';
import type { RunStarted } from '../journal/event.js';
import type { Finding } from '../decide/course.js';
import { buildReport } from '../matrix/build-report.js';
import { cellsOf } from '../matrix/report-cells.js';
import type { Gathered } from '../matrix/gathered.js';
import type { Ticket } from '../plan/ticket.js';
import { pointLatestTo } from './run-place.js';
import { previousRunOf, readPreviousRun } from './read-previous-run.js';

const tickets = [aTicket({ path: 's/a' }), aTicket({ path: 's/b' })];
const fresh = { suspicion: 'regression', passed: 5, total: 14, pValue: null } as const;
const dropped = aFinding(5, 10, { surprise: 'confirmed', fresh });
const fine = aFinding(1, 0);

/** Nights of one config, each of which can read the report of the night before. */
async function nights() {
  const root = await tempFolder();
  const config = { file: join(root, 'chatspec.yaml') } as Config;
  let count = 0;
  return async (...findings: readonly [Finding, Finding]) => {
    const folder = join(root, 'reports', 'runs', `${(count += 1)}`);
    await mkdir(folder, { recursive: true });
    const seen = { exchanges: [], failures: [], reasoningTookTokens: 0 };
    const gathered = {
      cells: new Map(tickets.map(({ cell }, index) => [cell.key, { ...seen, finding: findings[index] ?? null }])),
    } as unknown as Gathered;
    const previous = await readPreviousRun(config, folder);
    const { cells } = cellsOf(planAfter(aPlan(tickets), previous), gathered, previous);
    await writeFile(join(folder, 'report.json'), JSON.stringify(aReport({ cells })));
    await pointLatestTo(config, folder);
    return cells.map(({ standing, unsettled, runs_in_a_row: runs }) =>
      standing === 'regression' ? `${unsettled ? 'shown' : 'alarm'} ${runs ?? 1}` : standing,
    );
  };
}

test('cells that drop together are only shown at first; they alarm once the next run confirms them, and keep alarming', async () => {
  const night = await nights();
  expect(await night(fine, fine)).toEqual(['as_expected', 'as_expected']);
  expect(await night(dropped, dropped)).toEqual(['shown 1', 'shown 1']);
  expect(await night(dropped, dropped)).toEqual(['alarm 2', 'alarm 2']);
  expect(await night(dropped, dropped)).toEqual(['alarm 3', 'alarm 3']);
});

test('a night on which a cell does not drop resets its count of runs in a row', async () => {
  const night = await nights();
  await night(fine, fine);
  await night(dropped, dropped);
  expect(await night(fine, dropped)).toEqual(['as_expected', 'alarm 2']);
  expect(await night(dropped, dropped)).toEqual(['shown 1', 'alarm 3']);
});

test('a drop that its own sample did not settle does not count as confirmed by the night after', async () => {
  const night = await nights();
  await night(fine, fine);
  const unsettled = { ...dropped, surprise: 'unsettled' } as const;
  expect(await night(unsettled, dropped)).toEqual(['shown 1', 'shown 1']);
  expect(await night(dropped, dropped)).toEqual(['shown 2', 'alarm 2']);
});

test('a drop that luck may explain is asked again; its trials, and a row of passes, are remembered, also by the journal', () => {
  const drop = { passed: 42, total: 60 };
  const cells = [
    aReportCell({ key: 's/a@t/m', standing: 'regression', unsettled: true, drop }),
    aReportCell({ key: 's/b@t/m', standing: 'regression', unsettled: true }),
    aReportCell({ key: 's/c@t/m', standing: 'improvement', unsettled: true, passes_in_a_row: 34 }),
  ];
  const previous = previousRunOf(aReport({ cells }));
  expect([...previous.confirmed!]).toEqual(['s/a@t/m']);
  expect(previous.drops).toEqual(
    new Map([
      ['s/a@t/m', drop],
      ['s/c@t/m', { passed: 34, total: 34 }],
    ]),
  );
  expect(recordedPrevious(recordOf(previous) as RunStarted)).toEqual(previous);
  // Older journals do not say.
  expect(recordedPrevious({ shownBefore: {} } as RunStarted)?.drops.size).toBe(0);
});

test.each([
  ['broken JSON', '{"format":"chatspec-report/1"'],
  ['another format', '{"format":"chatspec-report/9"}'],
])('a previous report that cannot be read (%s) is taken for none', async (_, text) => {
  const root = await tempFolder();
  const config = { file: join(root, 'chatspec.yaml') } as Config;
  const previous = join(root, 'reports', 'runs', '1');
  await mkdir(previous, { recursive: true });
  await writeFile(join(previous, 'report.json'), text);
  await pointLatestTo(config, previous);
  expect(await readPreviousRun(config, join(root, 'reports', 'runs', '2'))).toBe(null);
});

test('a mistake of our own is not taken for a missing report', async () => {
  await expect(readPreviousRun(null as unknown as Config, '/nowhere')).rejects.toThrow(TypeError);
});

test('without a report of the previous run, every regression alarms at once', async () => {
  const night = await nights();
  expect(await night(dropped, dropped)).toEqual(['alarm 1', 'alarm 1']);
});

describe('what earlier runs learned', () => {
  const poorlyKnown = { kind: 'pass', threshold: null, trials: 1 } as const;
  const ofCell = (path: string) => aTicket({ path, expected: poorlyKnown });
  const [a, b] = [ofCell('s/a'), ofCell('s/b')];

  const nothingGathered: Gathered = {
    run: {
      ...{ id: 'r', startedAt: '', finishedAt: '', complete: true, tool: { name: 'chatspec', version: '0.0.0' } },
      ...{ requests: 0, notes: [], stops: [] },
    },
    ...{ models: new Map(), cells: new Map() },
  };

  /** Runs that each ask some of the cells. */
  async function runs() {
    const root = await tempFolder();
    const config = { file: join(root, 'chatspec.yaml') } as Config;
    let count = 0;
    return async (asked: readonly (readonly [Ticket, Finding])[]) => {
      const folder = join(root, 'reports', 'runs', `${(count += 1)}`);
      await mkdir(folder, { recursive: true });
      const seen = { exchanges: [], failures: [], reasoningTookTokens: 0 };
      const cells = new Map(asked.map(([{ cell }, finding]) => [cell.key, { ...seen, finding }]));
      const report = await buildReport({
        ...{ plan: aPlan(asked.map(([ticket]) => ticket)), gathered: { ...nothingGathered, cells }, behaviours: [] },
        ...{ config: { targets: [], maxUnmeasured: 1 }, today: '2026-11-20' },
        previous: await readPreviousRun(config, folder),
      });
      await writeFile(join(folder, 'report.json'), JSON.stringify(report));
      await pointLatestTo(config, folder);
      return report.cells.map(({ known }) => (known ? `${known.passed} of ${known.total}` : 'well known'));
    };
  }

  test('is pooled with what the baseline knew, run by run', async () => {
    const run = await runs();
    expect(await run([[a, aFinding(1, 0)]])).toEqual(['2 of 2']);
    expect(await run([[a, aFinding(4, 3)]])).toEqual(['6 of 9']);
    expect(await run([[a, { ...aFinding(0, 0), verdict: 'inconclusive' }]])).toEqual(['6 of 9']);
  });

  test('is not lost in a run that does not ask the cell', async () => {
    const run = await runs();
    await run([
      [a, aFinding(1, 0)],
      [b, aFinding(2, 0)],
    ]);
    await run([[b, aFinding(2, 0)]]);
    await run([[b, aFinding(2, 0)]]);
    expect(
      await run([
        [a, aFinding(1, 0)],
        [b, aFinding(2, 0)],
      ]),
    ).toEqual(['3 of 3', '9 of 9']);
  });

  test('starts again once the cell is accepted anew', async () => {
    const run = await runs();
    await run([[a, aFinding(4, 3)]]);
    const acceptedAnew = aTicket({ path: 's/a', expected: { ...poorlyKnown, trials: 2 } });
    expect(await run([[acceptedAnew, aFinding(1, 0)]])).toEqual(['3 of 3']);
    expect(await run([[aTicket({ path: 's/a' }), aFinding(1, 0)]])).toEqual(['well known']);
  });
});

test('the next run remembers which name gave way to which, and when', () => {
  const before = ['m1'];
  const now = ['m1-mini'];
  const swapped = (at?: string) => {
    const served_changes = [{ field: 'model' as const, before, now, ...(at !== undefined && { at }) }];
    const report = aReport({ models: [{ ...aReportModel('demo/x'), served: now, served_changes }] });
    return [report.run.started_at, previousRunOf(report).models.get('demo/x')?.swap] as const;
  };
  const [began, swap] = swapped();
  expect(swap).toEqual({ before, now, at: began });
  expect(swapped('2026-11-18T03:00:00.000Z')[1]).toEqual({ before, now, at: '2026-11-18T03:00:00.000Z' });
});

test('the next run remembers what a service counted, when that changed, and models that name nothing', () => {
  const at = '2026-11-18T03:00:00.000Z';
  const [old, fresh] = ['aapakfamhellgdof', 'abbkdjleokalllig'].map((request) => ({
    request,
    cell: 's/p',
    prompt_tokens: [80],
  }));
  const counted_requests = [{ ...old!, at }, fresh!];
  const example = { cell: 's/p', before: 57, now: 80 };
  const change = { of: 1, requests: 1, before: 57, now: 80, since: at, example };
  const changed = { ...aReportModel('demo/x'), served: [], counted_requests, prompt_tokens_change: change };
  const report = aReport({ models: [changed] });
  const { started_at } = report.run;
  expect(previousRunOf(report).models.get('demo/x')).toEqual({
    ...{
      served: [],
      fingerprints: [],
      requests: [
        { ...old, at },
        { ...fresh, at: started_at },
      ],
    },
    ...{ prompt_change: { ...change, at: started_at } },
  });
});
