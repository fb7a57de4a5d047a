// Makes reports/example: five nights of five invented models, of which the last deviates. `npm run example` after a change
// of what reports show; test/integration/example-report.test.ts tells when it is due.
//
// The nights are asked one after the other. Their dates are set a day apart, and the address is replaced, so that the
// example does not depend on when and where it was made; everything else is what the embedded service answered.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSimulator } from '../dist/simulator/index.js';

const target = resolve('reports/example');
const nights = 5;
const lastNight = Date.UTC(2026, 10, 20, 3, 17);
const day = 86_400_000;
const address = 'https://api.example.com/v1';

const refused = {
  error: { message: 'Internal server error', type: 'server_error', param: null, code: 'internal_error' },
};
const objectRefused = { when: { tool_choice: ['object'] }, do: { respond: { status: 500, body: refused } } };
const conflict = {
  when: { response_format: ['json_schema'], task: ['conflicts'], rate: 0.3 },
  do: { break_document: 'extra_member' },
};
const prose = {
  when: { response_format: ['json_object'] },
  do: { content: 'All that you asked for stands in the text above.' },
};

/** What the models do; the last night differs from the others. */
function models(isLast) {
  const thinking = { thinking: { default: 'on', format_tokens: isLast ? 2600 : 1100 } };
  return [
    { id: 'atlas-large' },
    { id: 'atlas-mini', faults: isLast ? [objectRefused] : [] },
    { id: 'borealis-r1', traits: thinking },
    { id: 'cirrus-7b', faults: isLast ? [] : [prose] },
    { id: 'dune-lite', faults: [conflict] },
  ];
}

const temporary = mkdtempSync(join(tmpdir(), 'chatspec-example-'));
let work = temporary;
const profiles = join(work, 'profiles');
mkdirSync(profiles);
cpSync('fixtures/profiles/reference.yaml', join(profiles, 'reference.yaml'));
const exec = promisify(execFile);
// Not synchronous: the service answers from this process.
const chatspec = async (...args) => {
  try {
    await exec(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd: work, timeout: 120_000 });
  } catch (error) {
    if (error.code !== 1 || args[0] === 'baseline') throw new Error(`${args.join(' ')}: ${error.stderr}`);
  }
};
const config = (baseUrl) => `# The example of the README: five invented models, answered by the embedded service.
targets:
  example:
    base_url: ${baseUrl}
    models: [atlas-large, atlas-mini, borealis-r1, cirrus-7b, dune-lite]
baseline: baseline.yaml
`;

for (let night = 1; night <= nights; night += 1) {
  const list = models(night === nights).map((model) => ({
    ...{ extends: 'sim-reference', summary: 'Of the example.', source: 'Invented.', ...model },
  }));
  writeFileSync(join(profiles, 'example.yaml'), JSON.stringify({ profiles: list }));
  const service = await startSimulator({ profiles });
  writeFileSync(join(work, 'chatspec.yaml'), config(service.baseUrl));
  const out = join('asked', `night-${night}`);
  await chatspec('run', '--tags', 'nightly', '--seed', String(night), '--out', out);
  await service.close();
  dated(join(work, out, 'journal.jsonl'), lastNight - (nights - night) * day, service.baseUrl);
  writeFileSync(join(work, 'chatspec.yaml'), config(address));
  const shown = join('reports', 'runs', `night-${night}`);
  await chatspec('rejudge', out, '--out', shown);
  if (night === 1) await chatspec('baseline', 'accept', shown);
  if (night === 1) redate(join(work, 'baseline.yaml'));
  cpSync(join(work, out, 'journal.jsonl'), join(work, shown, 'journal.jsonl'));
}

// The last night is judged among what is tracked, so that its page links to no page that is not there.
rmSync(target, { recursive: true, force: true });
for (let night = 1; night < nights; night += 1) {
  const folder = join('reports', 'runs', `night-${night}`);
  mkdirSync(join(target, folder), { recursive: true });
  cpSync(join(work, folder, 'summary.json'), join(target, folder, 'summary.json'));
}
for (const file of ['chatspec.yaml', 'baseline.yaml']) cpSync(join(work, file), join(target, file));
const last = join('reports', 'runs', `night-${nights}`);
cpSync(join(work, last), join(target, 'asked'), { recursive: true });
work = target;
await chatspec('rejudge', 'asked', '--out', last);
cpSync(join(target, 'asked', 'journal.jsonl'), join(target, last, 'journal.jsonl'));
const spare = ['junit.xml', 'ctrf.json', 'openmetrics.txt', 'capabilities.json', 'failures.jsonl'];
for (const file of ['asked', ...spare.map((name) => join(last, name))]) rmSync(join(target, file), { recursive: true });
rmSync(temporary, { recursive: true });

/** Entries are accepted on the day of their night. */
function redate(file) {
  const accepted = new Date(lastNight - (nights - 1) * day).toISOString().slice(0, 10);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/date: \d{4}-\d\d-\d\d/g, `date: ${accepted}`));
}

/** Moves the events of a night to its date, and replaces the address. */
function dated(file, start, baseUrl) {
  const text = readFileSync(file, 'utf8');
  const shift = start - Date.parse(JSON.parse(text.slice(0, text.indexOf('\n'))).at);
  const moved = text
    .replaceAll(
      /"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g,
      (_, at) => `"${new Date(Date.parse(at) + shift).toISOString()}"`,
    )
    .replaceAll(baseUrl, address);
  writeFileSync(file, moved);
}
