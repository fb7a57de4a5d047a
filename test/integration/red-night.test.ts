import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { simulate } from '../../src/simulator/index.js';
import type { Fault } from '../../src/simulator/profiles/profile.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** After a night that was accepted comes one in which something breaks for good in most cells of every model. */

type SimulatedFault = Partial<Fault> & Pick<Fault, 'do'>;
const refusal = { respond: { status: 400, body: { error: { message: 'tools are not supported' } } } };
const faults: Readonly<Record<string, SimulatedFault>> = {
  fenced: { when: { response_format: ['json_schema', 'json_object'] }, do: { fence: 'json' } },
  cut: { when: {}, do: { cut_document: 0.6 } },
  refused: { when: { tools: true }, do: refusal },
};

interface Report {
  readonly run: { readonly requests: number };
  readonly cells: readonly Readonly<Record<string, unknown>>[];
}
const nights: Record<string, Report> = {};

beforeAll(async () => {
  const cwd = await lastingFolder();
  const limits = { concurrency: 16, retries: 1 };
  const target = { base_url: { env: 'SERVICE' }, limits, models: Object.keys(faults) };
  await writeFiles(cwd, {
    'chatspec.yaml': JSON.stringify({ targets: { demo: target }, suites: ['builtin:core'], baseline: 'baseline.yaml' }),
  });
  const verb = async (line: string, isBroken: boolean): Promise<void> => {
    const profiles = Object.entries(faults).map(([id, fault]) => ({
      ...{ id, extends: 'sim-reference', faults: isBroken ? [fault] : [] },
    }));
    const service = await simulate({ profiles: { profiles } });
    await chatspec([...line.split(' '), '--fail-on', 'never'], { cwd, env: { SERVICE: service.baseUrl } });
    await service.close();
    const out = /--out (\S+)/.exec(line)?.[1] ?? '';
    nights[out] = JSON.parse(await readFile(join(cwd, out, 'report.json'), 'utf8')) as Report;
  };
  await verb('run --tags nightly --out first', false);
  await chatspec(['baseline', 'accept', 'first'], { cwd });
  await verb('run --tags nightly --out green', false);
  await verb('run --tags nightly --out red', true);
  await verb('rejudge red --out again', true);
});

test('a red night costs at most twice a green one', () => {
  expect(nights['red']!.run.requests).toBeLessThanOrEqual(2 * nights['green']!.run.requests);
});

test('every cell that fails is an alarm, whichever cell proved the cause', () => {
  const failed = nights['red']!.cells.filter(({ verdict }) => verdict === 'fail');
  expect(failed.length).toBeGreaterThan(50);
  expect(failed.filter(({ standing, unsettled }) => standing !== 'regression' || unsettled === true)).toEqual([]);
});

test('judged again, it says the same', () => {
  const facts = ({ cells }: Report) => cells.map((cell) => ({ ...cell, exchanges: [], failures: [] }));
  expect(facts(nights['again']!)).toEqual(facts(nights['red']!));
});
