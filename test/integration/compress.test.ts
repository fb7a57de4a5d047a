import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** `run --compress`: every command reads a journal in both forms, with the same result. */

const cwd = await lastingFolder();
const chat = (line: string) => chatspec(line.split(' '), { cwd });
const at = (...path: string[]) => join(cwd, ...path);
const journalsIn = async (folder: string) => (await readdir(at(folder))).filter((name) => name.includes('journal'));
const text = (...path: string[]) => readFile(at(...path), 'utf8');

/** Without what two judgements of one run may say differently. */
const judged = (report: string): unknown => {
  const { run, ...others } = JSON.parse(report) as { run: object };
  return { ...others, run: { ...run, finished_at: null } };
};

beforeAll(async () => {
  const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] }, trials: 3 }
  order:
    trials: 4
    request:
      messages: [{ role: user, content: Order a lamp. }]
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item] } } }]
    vary: { tool_choice: { auto: auto, object: { type: function, function: { name: order } } } }
`;
  await writeFiles(cwd, {
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-object-500, sim-reference] } }\nsuites: [shop.yaml]\n',
    'shop.yaml': suite,
  });
  const { code } = await chat('run --out packed --compress --fail-on never');
  expect(code).toBe(0);
  const whole = gunzipSync(await readFile(at('packed', 'journal.jsonl.gz')));
  await cp(at('packed'), at('plain'), { recursive: true });
  await rm(at('plain', 'journal.jsonl.gz'));
  await writeFile(at('plain', 'journal.jsonl'), whole);
});

test('the journal is replaced by one that is a tenth as large', async () => {
  expect(await journalsIn('packed')).toEqual(['journal.jsonl.gz']);
  const { size } = await stat(at('packed', 'journal.jsonl.gz'));
  expect(10 * size).toBeLessThan((await stat(at('plain', 'journal.jsonl'))).size);
});

test('every command says of it what it says of a plain one', async () => {
  const other = 'plain';
  const lines = [
    ['evidence', 'shop/order --json'],
    ['evidence', 'e000003 --json'],
    ['rejudge', `--json --fail-on never --out judged`],
    ['report', '--format issue'],
    ['capabilities export', ''],
  ] as const;
  for (const [verb, more] of lines) {
    const [packed, plain] = await Promise.all(
      ['packed', other].map((folder) => chat(`${verb} ${folder} ${more}`.trim().replace('judged', `${folder}-judged`))),
    );
    expect(packed?.code, packed?.stderr).toBe(0);
    const shown = packed?.stdout.replaceAll('packed', other) ?? '';
    if (verb === 'rejudge') expect(judged(shown)).toEqual(judged(plain?.stdout ?? ''));
    else expect(shown).toBe(plain?.stdout);
  }
  const pages = await Promise.all(
    ['packed', other].map(async (folder) => {
      await chat(`report ${folder} --format html --out page-${folder}`);
      return (await text(`page-${folder}`, 'index.html')).length;
    }),
  );
  expect(Math.abs((pages[0] ?? 0) - (pages[1] ?? 0))).toBeLessThan(200);
  expect(await chat(`diff packed ${other}`)).toMatchObject({ code: 0 });
});

test('no second run starts in its folder; it can be resumed, and prune removes it', async () => {
  await cp(at('packed'), at('again'), { recursive: true });
  const { code, stderr } = await chat('run --out again');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('already holds a run') as string });
  const resumed = await chat('run --resume --out again --fail-on never');
  expect(resumed.stderr).toContain('every answer had been recorded');
  expect(await journalsIn('again')).toEqual(['journal.jsonl']);
  expect(judged(await text('again', 'report.json'))).toMatchObject({ cells: { length: 6 } });
  await chat('run --resume --out again --fail-on never --compress');
  expect(await journalsIn('again')).toEqual(['journal.jsonl.gz']);
});

describe('a compressed journal that is', () => {
  const hurt = async (change: (file: string) => Promise<void>) => {
    await rm(at('hurt'), { recursive: true, force: true });
    await cp(at('packed'), at('hurt'), { recursive: true });
    await change(at('hurt', 'journal.jsonl.gz'));
    return Promise.all(['rejudge hurt', 'run --resume --out hurt'].map(chat));
  };

  test.each<readonly [string, string, (file: string) => Promise<void>]>([
    ['cut', 'is damaged: unexpected end of file', async (file) => truncate(file, (await stat(file)).size - 20)],
    ['no gzip at all', 'is damaged: incorrect header check', (file) => writeFile(file, 'hello')],
    ['of something else', 'is not JSON', (file) => writeFile(file, gzipSync('hello\n'))],
  ])('%s ends in one clear error', async (_, message, change) => {
    for (const { code, stdout, stderr } of await hurt(change)) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain('hurt/journal.jsonl.gz:');
    }
  });
});
