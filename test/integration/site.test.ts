import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** Three nights of two models, of which the first has no report any more, only its summary. */

const cwd = await lastingFolder();
const run = (line: string) => chatspec(line.split(' '), { cwd });
const text = (...path: string[]) => readFile(join(cwd, ...path), 'utf8');
let nights: readonly string[];

beforeAll(async () => {
  const models = ['sim-reference', 'sim-object-500'];
  await writeFiles(cwd, { 'chatspec.yaml': JSON.stringify({ targets: { demo: { base_url: 'simulator', models } } }) });
  for (const night of [1, 2, 3]) await run(`run --tags smoke --seed ${night}`);
  nights = (await readdir(join(cwd, 'reports', 'runs'))).sort();
  const [first = ''] = nights;
  for (const file of ['report.json', 'journal.jsonl', 'index.html']) {
    await rm(join(cwd, 'reports', 'runs', first, file));
  }
  const { code, stderr } = await run('report reports/latest --site site');
  expect(stderr).toBe('site/index.html\n');
  expect(code).toBe(0);
});

test('the report of a run shows the runs before it', async () => {
  const page = await text('reports', 'latest', 'index.html');
  expect(page.match(/<i class="mark bad">/g)).toHaveLength(3);
  expect(page).toContain(`href="../${nights[1] ?? ''}/index.html"`);
});

test('every link of the site leads to a page of the site', async () => {
  const files = await readdir(join(cwd, 'site'), { recursive: true });
  const pages = files.filter((name) => name.endsWith('.html'));
  expect(pages.length).toBe(1 + 2);
  const links: string[] = [];
  for (const page of pages) {
    for (const [, href = ''] of (await text('site', page)).matchAll(/href="([^"#]+)"/g)) {
      links.push(join(dirname(page), decodeURIComponent(href)));
    }
  }
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !files.includes(link))).toEqual([]);
});

test('a run whose folder was thinned out counts, without a page', async () => {
  const front = await text('site', 'index.html');
  expect(front.match(/<i class="mark /g)).toHaveLength(3);
  expect(front).not.toContain(nights[0]);
});

test('the front page is that of the newest whole run, and loads nothing', async () => {
  const front = await text('site', 'index.html');
  expect(front).not.toMatch(/\ssrc=/);
  expect(front).toContain('id="overview"');
  expect(front).toContain('default-src &#x27;none&#x27;');
});

test('the site holds the data of its front page, a badge for each model and need, and a feed of what is new', async () => {
  const data = async (file: string) => JSON.parse(await text('site', file)) as Record<string, never>;
  const report = (await data('report.json')) as unknown as { run: { id: string }; recommendations: object[] };
  expect((await data('capabilities.json'))['run']).toMatchObject({ id: report.run.id });
  expect((await data('summary.json'))['run']).toMatchObject({ id: report.run.id });
  const badges = (await readdir(join(cwd, 'site', 'badges'), { recursive: true })).filter((name) =>
    name.endsWith('.json'),
  );
  expect(badges).toHaveLength(report.recommendations.length);
  expect(await data('badges/demo/sim-reference/structured.json')).toEqual({
    ...{ schemaVersion: 1, label: expect.stringContaining('sim-reference') as string },
    ...{ message: expect.any(String) as string, color: expect.any(String) as string },
  });
  const entries = async (site: string) => [...(await text(site, 'feed.xml')).matchAll(/<entry>/g)].length;
  // What fails has failed since the first night; without any night before, it is new.
  expect(await entries('site')).toBe(0);
  await run('report reports/latest --history site/badges --site alone');
  expect(await entries('alone')).toBeGreaterThan(0);
  const front = await text('site', 'index.html');
  for (const file of ['report.json', 'capabilities.json', 'summary.json', 'feed.xml']) {
    expect(front).toContain(`href="${file}"`);
  }
});

test.each([
  ['nowhere', 'it is no folder, or not readable'],
  ['chatspec.yaml', 'it is no folder'],
])('--history %s is one clear error', async (folder, why) => {
  const { code, stderr } = await run(`report reports/latest --history ${folder}`);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`cannot read --history ${folder}: ${why}`) as string,
  });
});
