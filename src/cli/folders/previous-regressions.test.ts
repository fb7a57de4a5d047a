import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFinding, aPlan, aReport, aTicket } from '../../../test/support/build.js';
import { tempFolder } from '../../../test/support/temp-folder.js';
import type { Config } from '../../config/config.js';
import type { Finding } from '../../decide/course.js';
import { cellsOf } from '../../matrix/report-cells.js';
import type { Gathered } from '../../matrix/gathered.js';
import { pointLatestTo } from './folders.js';
import { previousRegressions } from './previous-regressions.js';

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
    const cells = cellsOf(aPlan(tickets), gathered, await previousRegressions(config, folder));
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
  expect(await previousRegressions(config, join(root, 'reports', 'runs', '2'))).toBe(null);
});

test('a mistake of our own is not taken for a missing report', async () => {
  await expect(previousRegressions(null as unknown as Config, '/nowhere')).rejects.toThrow(TypeError);
});

test('without a report of the previous run, every regression alarms at once', async () => {
  const night = await nights();
  expect(await night(dropped, dropped)).toEqual(['alarm 1', 'alarm 1']);
});
