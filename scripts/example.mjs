// Makes reports/example: a bad night after a quiet week, on models of the embedded service. `npm run example [FOLDER]`
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulate } from '../dist/simulator/index.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(project, 'reports', 'example'));
const port = 8731;
const models = ['atlas-large', 'atlas-mini', 'boreal-2', 'cobalt-r1', 'delta-flash', 'ember-old'];

const profile = (id, summary, parts = '') =>
  `  - id: ${id}\n    extends: sim-reference\n    summary: ${summary}\n    source: The example report.\n${parts}`;
const faults = (when, action) => `    faults:\n      - when: ${when}\n        do: ${action}\n`;
const refusesObject = faults(
  '{ tool_choice: [object] }',
  "{ respond: { status: 400, body: { error: { message: 'tool_choice must be none, auto or required', type: invalid_request_error, param: tool_choice } } } }",
);

const serverError =
  "{ respond: { status: 500, body: { error: { message: 'Internal server error', type: internal_error } } } }";
const busy = "{ respond: { status: 503, body: { error: { message: 'The model is loading', type: unavailable } } } }";

/** What the models do in each of eight nights: one is worse from the sixth on, one better and one gone in the last. */
function profilesOf(night) {
  const isLast = night === 8;
  return [
    'profiles:',
    profile('atlas-large', 'Does everything right.').trimEnd(),
    profile('atlas-mini', 'Refuses the object form of tool_choice.', isLast ? '' : refusesObject).trimEnd(),
    profile(
      'boreal-2',
      'Writes its JSON into a code fence.',
      night >= 6 ? faults('{ response_format: [json_object] }', '{ fence: json }') : '',
    ).trimEnd(),
    profile(
      'cobalt-r1',
      'Breaks strict schemas now and then.',
      faults(
        `{ response_format: [json_schema], task: [conflicts], rate: ${isLast ? 0.8 : 0.3} }`,
        '{ break_document: extra_member }',
      ),
    ).trimEnd(),
    profile(
      'delta-flash',
      'Fails at the object form of tool_choice, and once at streams.',
      `${faults('{ tool_choice: [object] }', serverError)}${isLast ? `      - when: { stream: true }\n        do: ${busy}\n` : ''}`,
    ).trimEnd(),
    ...(isLast ? [] : [profile('ember-old', 'Is retired after a week.').trimEnd()]),
    '',
  ].join('\n');
}

const config = `# Made by npm run example.
targets:
  gateway:
    base_url: http://127.0.0.1:${port}/v1
    limits: { concurrency: 8, retries: 0 }
    models:
${models.map((id, at) => `      - { id: ${id}, price: { prompt: ${(at + 1) / 4}, completion: ${at + 1} } }`).join('\n')}
suites: ['builtin:core']
baseline: baseline.yaml
`;

const folder = await mkdtemp(join(tmpdir(), 'chatspec-example-'));
await writeFile(join(folder, 'chatspec.yaml'), config);

/** Runs the built program at a time of the example; exit code 1 is a red night. */
const chatspec = (time, ...args) =>
  new Promise((done, fail) => {
    const clock = new URL('example-clock.mjs', import.meta.url).href;
    const options = { cwd: folder, env: { PATH: process.env['PATH'], EXAMPLE_TIME: time }, maxBuffer: 1e8 };
    execFile(
      process.execPath,
      ['--import', clock, join(project, 'dist/cli/main.js'), ...args],
      options,
      (error, text) => {
        const code = error === null ? 0 : error.code;
        if (code === 0 || code === 1) done(text);
        else fail(error);
      },
    );
  });

const note = 'Known to the vendor since October; we send required.';
try {
  for (let night = 1; night <= 8; night += 1) {
    const profiles = join(folder, `profiles-${night}.yaml`);
    await writeFile(profiles, profilesOf(night));
    const service = await simulate({ profiles, port });
    const time = `2026-11-${16 + night}T02:14:00.000Z`;
    const runFolder = `reports/runs/${time.slice(0, 10)}`;
    await chatspec(time, 'run', '--tags', 'nightly', '--seed', String(night), '--out', runFolder);
    await service.close();
    if (night === 1) {
      await chatspec(time, 'baseline', 'accept', 'reports/latest');
      const file = join(folder, 'baseline.yaml');
      const text = await readFile(file, 'utf8');
      await writeFile(
        file,
        text.replaceAll(/^(.*tool_choice=object.*delta-flash.*date: [^,}]*)/gm, `$1, note: '${note}'`),
      );
    }
  }
  await chatspec('2026-11-24T02:20:00.000Z', 'report', 'reports/latest', '--site', 'site');
  const latest = join(folder, 'reports', 'latest');
  await mkdir(out, { recursive: true });
  for (const name of await readdir(out)) await rm(join(out, name), { recursive: true });
  await cp(join(folder, 'site'), out, { recursive: true });
  await cp(join(latest, 'report.md'), join(out, 'report.md'));
} finally {
  await rm(folder, { recursive: true });
}
