// A long run on the embedded service with faults in 2 % of the answers: memory, leaks, and counts that must agree.
//   npm run soak [-- --trials 100000 --most-mb 200 --keep]
// The service runs in a process of its own, so that only chatspec is measured. Exits with 1 when a check fails.
import { fork } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const faultRate = 0.02;
const probes = ['plain', 'schema', 'tools', 'streamed-schema', 'streamed-tools'];
const models = ['soak-a', 'soak-b', 'soak-c', 'soak-dead'];
const cells = probes.length * models.length;
/** Exchange ids take a few bytes of a trial, RSS varies as it does, and the reports load once what they need. */
const mostGrowth = { heldBytesPerTrial: 10, askingPercent: 8, reportsBytes: 30 * 2 ** 20 };
const enoughToTellGrowth = 50_000;
/** Approximate. */
const journalBytesOfTrial = 2000;

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '100000' },
    'most-mb': { type: 'string', default: '200' },
    keep: { type: 'boolean', default: false },
    service: { type: 'string' },
  },
});

/** The child process: answers, and reports how many requests it received. */
async function serve(profiles) {
  const { startSimulator } = await import('../.modules/simulator/index.js');
  const simulator = await startSimulator({ profiles });
  process.on('message', () => process.send({ stats: simulator.stats() }));
  process.on('disconnect', () => process.exit(0));
  process.send({ baseUrl: simulator.baseUrl });
}

async function soak(trials, mostMb) {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-soak-'));
  const perCell = Math.ceil(trials / cells);
  await mkdir(join(folder, 'profiles'));
  await writeFile(join(folder, 'profiles', 'soak.yaml'), JSON.stringify({ profiles: profiles() }));
  await writeFile(join(folder, 'suite.yaml'), JSON.stringify(suite()));
  const child = fork(fileURLToPath(import.meta.url), ['--service', join(folder, 'profiles')]);
  const { baseUrl } = await answerOf(child);
  await writeFile(join(folder, 'chatspec.yaml'), JSON.stringify(config(baseUrl)));

  const { runCli } = await import('../.modules/cli/program.js');
  const { tuneEngine } = await import('../.modules/cli/tune-engine.js');
  tuneEngine();
  const out = join(folder, 'run');
  process.stdout.write('');
  process.stderr.write('');
  const before = countResources();
  const memory = watchMemory(trials, () => journalSize(out));
  const begun = Date.now();
  const argv = ['run', '--config', join(folder, 'chatspec.yaml'), '--out', out, '--trials', String(perCell), '--json'];
  const code = await runCli([...argv, '--fail-on', 'never'], quietIo(folder));
  const seconds = (Date.now() - begun) / 1000;
  const series = memory.stop();
  await settled();
  const leaked = surplus(countResources(), before);

  child.send('stats');
  const { stats } = await answerOf(child);
  child.disconnect();
  const found = {
    code,
    asked: stats.requests,
    journal: await countJournal(join(out, 'journal.jsonl')),
    failureLines: await countLines(join(out, 'failures.jsonl')),
    report: JSON.parse(await readFile(join(out, 'report.json'), 'utf8')),
    leaked,
    memory: memoryOf(series),
  };
  const bytes = (await stat(join(out, 'journal.jsonl'))).size;
  if (values.keep) console.log(`run folder: ${out}`);
  else await rm(folder, { recursive: true, force: true });

  const checks = checked(found, perCell, mostMb);
  console.log(
    `trials        ${perCell * cells} in ${cells} cells, ${found.failureLines} failing, ${faults(found)} faults`,
  );
  console.log(
    `requests      ${found.asked} in ${seconds.toFixed(0)} s (${(found.asked / seconds).toFixed(0)} a second)`,
  );
  console.log(`journal       ${mb(bytes)} MB`);
  console.log('memory, MB, maximum of each tenth and while the reports are written:');
  console.log(`  RSS         ${found.memory.rss.map(mb).join(' ')}`);
  console.log(`  held        ${found.memory.held.map(mb).join(' ')}`);
  for (const [what, holds] of checks) console.log(`${holds ? 'ok    ' : 'FAILED'}  ${what}`);
  return checks.every(([, holds]) => holds) ? 0 : 1;
}

function checked({ code, asked, journal, failureLines, report, leaked, memory }, perCell, mostMb) {
  const named = report.cells.flatMap((cell) => cell.exchanges);
  const total = sum(report.cells.map((cell) => cell.trials.total));
  const failing = sum(report.cells.map((cell) => cell.trials.total - cell.trials.passed));
  return [
    [`the run ended with 0 (${code})`, code === 0],
    [`every cell has ${perCell} judged trials, ${total} in all`, total === perCell * cells],
    [
      `requests agree: service ${asked}, journal ${journal.exchanges}, report ${report.run.requests}`,
      asked === journal.exchanges && asked === report.run.requests,
    ],
    [`the journal records its end, and no id twice`, journal.finished === asked && journal.twice === 0],
    [
      `the report names every exchange of its cells once (${named.length})`,
      named.length === journal.ofCells && new Set(named).size === named.length,
    ],
    [`failing trials agree: report ${failing}, failures.jsonl ${failureLines}`, failing === failureLines],
    [`faults occurred (${journal.faulty})`, journal.faulty > (asked * faultRate) / 4],
    ...checkedMemory(memory, perCell * cells, mostMb),
    [`nothing is left open (${JSON.stringify(leaked)})`, Object.keys(leaked).length === 0],
  ];
}

function checkedMemory({ rss, held }, trials, mostMb) {
  const peak = Math.max(...rss);
  const under = [`peak memory is under ${mostMb} MB (${mb(peak)})`, peak < mostMb * 2 ** 20];
  // A short run ends before everything is loaded and warm, so only a long one can show growth.
  if (trials < enoughToTellGrowth) return [under];
  // The requests in flight at a collection vary, so growth shows only over several tenths together. V8 still optimizes in
  // the first.
  const early = held.slice(1, 4);
  const late = held.slice(7, 10);
  const growth = (sum(late) - sum(early)) / 3;
  const percent = (samples) => 100 * (Math.max(...samples) / rss[0] - 1);
  const asking = percent(rss.slice(0, 10));
  const reports = Math.max(...rss.slice(10)) - Math.max(...rss.slice(0, 10));
  return [
    under,
    [
      `what is held does not grow (${(growth / 2 ** 10).toFixed(0)} kB from the second to fourth tenth to the last three)`,
      [...early, ...late].every((bytes) => bytes > 0) && growth <= mostGrowth.heldBytesPerTrial * trials,
    ],
    [`RSS does not grow after the first tenth (${asking.toFixed(1)} %)`, asking <= mostGrowth.askingPercent],
    [`RSS grows little while the reports are written (${mb(reports)} MB)`, reports <= mostGrowth.reportsBytes],
  ];
}

/** Three sound models with transport faults and some wrong answers, and one whose documents are all wrong. */
function profiles() {
  const each = faultRate / 8;
  const faulty = [
    { when: { rate: each }, do: { reset: 'before_headers' } },
    { when: { rate: each }, do: { reset: 'during_body' } },
    { when: { rate: each }, do: { respond: { status: 503, body: { error: { message: 'Overloaded, try again' } } } } },
    { when: { rate: each }, do: { respond: { status: 502, text: '<html><body>Bad gateway</body></html>' } } },
    { when: { rate: each }, do: { raw_body: { text: '' } } },
    { when: { rate: each }, do: { content: 'I would rather talk about it.', drop_calls: null } },
    { when: { rate: each }, do: { break_document: 'wrong_type' } },
    { when: { rate: each }, do: { cut_document: 0.5, finish_reason: 'length' } },
  ];
  const shared = { summary: 'Soak.', source: 'None.' };
  return models.map((id) => ({
    ...{ id, ...shared },
    faults: id === 'soak-dead' ? [...faulty, { when: {}, do: { break_document: 'wrong_type' } }] : faulty,
  }));
}

function suite() {
  const schema = {
    type: 'object',
    properties: { item: { type: 'string' }, quantity: { type: 'integer' } },
    required: ['item', 'quantity'],
    additionalProperties: false,
  };
  const messages = [
    { role: 'system', content: 'Answer in json.' },
    { role: 'user', content: 'Order 3 keyboards for Li Lei, 897.00 CNY in total.' },
  ];
  const asSchema = {
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'order', strict: true, schema } },
  };
  const asTools = {
    messages,
    tools: [{ type: 'function', function: { name: 'order', strict: true, parameters: schema } }],
    tool_choice: 'required',
  };
  const requests = {
    plain: { messages },
    schema: asSchema,
    tools: asTools,
    'streamed-schema': { ...asSchema, stream: true },
    'streamed-tools': { ...asTools, stream: true },
  };
  const entries = probes.map((probe) => [probe, { capability: probe, tags: ['nightly'], request: requests[probe] }]);
  return { suite: 'soak', title: 'Soak', probes: Object.fromEntries(entries) };
}

function config(baseUrl) {
  const limits = { concurrency: 32, timeout_s: 30, retries: 3 };
  return { targets: { soak: { base_url: baseUrl, limits, models } }, suites: ['suite.yaml'], max_unmeasured: 0 };
}

/**
 * Samples the process's memory (RSS) as the journal grows, and ten times the memory in use after garbage collection; more
 * collections would keep RSS lower than it usually is.
 */
function watchMemory(trials, progress) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const rss = [];
  const held = [];
  const sample = () => {
    const done = progress();
    rss.push({ done, bytes: process.memoryUsage.rss() });
    if (done < (held.length + 0.9) * (trials / 10) * journalBytesOfTrial) return;
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    held.push({ done, bytes: heapUsed + external });
  };
  const timer = setInterval(sample, 250);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return { rss, held };
    },
  };
}

/** The maximum of each tenth, and of the time in which the reports are written. */
function memoryOf({ rss, held }) {
  const end = rss.at(-1).done;
  const byTenth = (samples) => {
    const tenths = Array.from({ length: 11 }, () => 0);
    for (const { done, bytes } of samples) {
      const tenth = Math.floor((10 * done) / end);
      tenths[tenth] = Math.max(tenths[tenth], bytes);
    }
    return tenths;
  };
  return { rss: byTenth(rss), held: byTenth(held) };
}

/** Handles and timers that keep a process alive, by kind. */
function countResources() {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function surplus(after, before) {
  const more = Object.entries(after).filter(([kind, count]) => count > (before[kind] ?? 0));
  return Object.fromEntries(more.map(([kind, count]) => [kind, count - (before[kind] ?? 0)]));
}

/** Sockets take a moment to close. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 500));

async function countJournal(file) {
  const ids = new Set();
  let exchanges = 0;
  let ofCells = 0;
  let faulty = 0;
  let finished = null;
  for await (const line of linesOf(file)) {
    const event = JSON.parse(line);
    if (event.type === 'run_finished') finished = event.requests;
    if (event.type !== 'exchange') continue;
    exchanges += 1;
    if (event.cell !== null) ofCells += 1;
    ids.add(event.id);
    const { failure, status } = event.exchange.answer;
    if (failure !== null || status >= 500) faulty += 1;
  }
  return { exchanges, ofCells, faulty, finished, twice: exchanges - ids.size };
}

async function countLines(file) {
  let count = 0;
  for await (const line of linesOf(file)) if (line !== '') count += 1;
  return count;
}

const linesOf = (file) => createInterface({ input: createReadStream(file), crlfDelay: Infinity });

function journalSize(out) {
  return statSync(join(out, 'journal.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
}

function quietIo(cwd) {
  return {
    out: () => undefined,
    err: (text) => void process.stderr.write(text),
    env: {},
    cwd,
    color: false,
    columns: 80,
    interactive: false,
    onInterrupt: () => () => undefined,
    exitNow: (code) => process.exit(code),
  };
}

function answerOf(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

const faults = ({ journal }) => journal.faulty;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const mb = (bytes) => (bytes === 0 ? '-' : (bytes / 2 ** 20).toFixed(1));

if (values.service !== undefined) await serve(values.service);
else process.exitCode = await soak(Number(values.trials), Number(values['most-mb']));
