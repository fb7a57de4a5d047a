// Makes fixtures/clients.yaml: what real client libraries make of every quirk and every outcome class. `npm run
// clients` after a change of the libraries in fixtures/clients, of profiles or of quirks; `npm run clients -- --check`
// measures again and tells what differs from the file.
//
// Each call of each library is made to every model of the embedded service, at temperature 0, and compared with what
// the same call gives with the reference. What was wrong with the answers says the judge, which looks at the very
// answers that the library got.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, isDeepStrictEqual } from 'node:util';
import { Document, isScalar, parse, visit } from 'yaml';
import { callsMean, methods, unmeasured } from './client-facts.mjs';
import { load } from './load-module.mjs';

const {
  quirks: knownQuirks,
  effectKind,
  answersAlike,
  askedAgain,
  outputFault,
  seenInAnswer,
  outcomeClasses,
  simulate,
} = await load(
  'src/chat/quirks.ts',
  ...['asked-again', 'client-effects', 'compare-output', 'seen-in-answer'].map((name) => `src/clients/${name}.ts`),
  ...['src/judge/outcome.ts', 'src/simulator/index.ts'],
);

const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'fixtures', 'clients.yaml');
const reference = 'sim-reference';

const python = { ecosystem: 'pypi', command: [pythonIn('.venv'), 'try.py'] };
const go = { ecosystem: 'go', folder: 'go', command: [join('.bin', 'try')] };
const java = {
  ecosystem: 'maven',
  source: 'Try.java',
  command: ['java', '-cp', [join('.bin', 'classes'), join('.bin', 'lib', '*')].join(delimiter), 'Try'],
};
const npm = { ecosystem: 'npm', command: [process.execPath, 'try.mjs'] };

/**
 * The libraries by ecosystem, the newest version of each first; `via`: the part of it that reads the answers, where
 * there are several.
 */
export const clients = [
  { ...npm, id: 'openai-6', package: 'openai' },
  { ...npm, id: 'openai-4', package: 'openai' },
  { ...npm, id: 'ai-5', package: 'ai', via: '@ai-sdk/openai', env: { PROVIDER: 'openai' } },
  { ...npm, id: 'ai-5-compatible', package: 'ai', via: '@ai-sdk/openai-compatible', env: { PROVIDER: 'compatible' } },
  { ...npm, id: 'langchain', package: '@langchain/openai' },
  { ...npm, id: 'instructor', package: '@instructor-ai/instructor' },
  { ...python, id: 'python-openai', package: 'openai' },
  { ...python, id: 'python-litellm', package: 'litellm', env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' } },
  { ...python, id: 'python-langchain', package: 'langchain-openai' },
  { ...python, id: 'python-instructor', package: 'instructor' },
  { ...python, id: 'python-pydantic-ai', package: 'pydantic-ai-slim' },
  { ...python, id: 'python-openai-agents', package: 'openai-agents' },
  { ...python, id: 'python-llama-index', package: 'llama-index-llms-openai-like' },
  {
    ...python,
    id: 'python-dspy',
    package: 'dspy',
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', DSPY_CACHEDIR: '.venv/cache' },
  },
  { ...python, id: 'python-haystack', package: 'haystack-ai', env: { HAYSTACK_TELEMETRY_ENABLED: 'False' } },
  { ...python, id: 'python-smolagents', package: 'smolagents' },
  {
    ...go,
    ...{ id: 'go-openai-go', package: 'github.com/openai/openai-go' },
    ...{ source: 'openai_go.go', env: { LIBRARY: 'openai-go' } },
  },
  {
    ...go,
    ...{ id: 'go-go-openai', package: 'github.com/sashabaranov/go-openai' },
    ...{ source: 'go_openai.go', env: { LIBRARY: 'go-openai' } },
  },
  {
    ...go,
    ...{ id: 'go-langchaingo', package: 'github.com/tmc/langchaingo' },
    ...{ source: 'langchaingo.go', env: { LIBRARY: 'langchaingo' } },
  },
  { ...java, id: 'java-openai', package: 'com.openai:openai-java' },
  { ...java, id: 'java-langchain4j', package: 'dev.langchain4j:langchain4j-open-ai' },
  { ...java, id: 'java-spring-ai', package: 'org.springframework.ai:spring-ai-openai' },
];

function pythonIn(folder) {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

const programOf = ({ id, folder, source, command }) =>
  `fixtures/clients/${folder ?? id.replace(/-compatible$/, '')}/${source ?? command.at(-1)}`;
const folderOf = (client) => join(root, dirname(client.program ?? programOf(client)));

/** The version that the lock of a fixture installs. */
export function versionIn(client, name) {
  const lock = (file) => readFileSync(join(folderOf(client), file), 'utf8');
  if (client.ecosystem === 'npm') return JSON.parse(lock('package-lock.json')).packages[`node_modules/${name}`].version;
  if (client.ecosystem === 'go') return lock('go.mod').match(new RegExp(`${name}(?:/v\\d+)? v(\\S+)`))[1];
  if (client.ecosystem === 'maven') {
    const [group, artifact] = name.split(':');
    const own = `<groupId>${group}</groupId>\\s*<artifactId>${artifact}</artifactId>\\s*<version>([^<]+)`;
    return lock('pom.xml').match(new RegExp(own))[1];
  }
  return lock('requirements.txt').match(new RegExp(`^${name}==(\\S+)`, 'm'))[1];
}

/** Installs what the lock of a fixture says; throws where the machine lacks the language. */
async function install(client) {
  const cwd = folderOf(client);
  const has = (...path) => existsSync(join(cwd, ...path));
  if (client.ecosystem === 'npm') {
    if (has('node_modules', '.package-lock.json')) return;
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd });
    return;
  }
  if (client.ecosystem === 'go') {
    await run('go', ['build', '-o', join('.bin', 'try'), '.'], { cwd });
    return;
  }
  if (client.ecosystem === 'maven') return buildJava(cwd);
  if (has(pythonIn('.venv'))) return;
  await run('python3', ['-m', 'venv', '.venv'], { cwd });
  await run(pythonIn('.venv'), ['-m', 'pip', 'install', '-q', '--require-hashes', '-r', 'requirements.txt'], { cwd });
}

/** The libraries that a pom.xml names beside the classes of the program. */
async function buildJava(cwd) {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=.bin/lib'];
  await run('mvn', ['-B', '-q', ...goal], { cwd });
  const target = ['-parameters', '-cp', join('.bin', 'lib', '*'), '-d', join('.bin', 'classes')];
  await run('javac', [...target, join('..', 'Tell.java'), 'Try.java'], { cwd });
}

/** Bodies of hundreds of megabytes and streams without an end show nothing about a library but its patience. */
export async function measuredModels(profiles) {
  const text = await Promise.all(
    [
      'wire',
      'outcomes',
      'quirks',
      'reasons',
      'statuses',
      'tool-loop',
      'thinking',
      'transport',
      'behaviours',
      'enforcement',
      'recordings',
      'reference',
      'always',
    ].map((name) => readFileSync(join(profiles, `${name}.yaml`), 'utf8')),
  );
  const all = text.flatMap((each) => parse(each).profiles);
  const heavy = ({ faults = [] }) =>
    faults.some(({ do: what }) => what.huge_body_mb || what.gzip_bomb_mb || what.endless);
  return all.filter((profile) => !heavy(profile)).map(({ id }) => id);
}

/** Milliseconds that a call may take: as long as `clients try` waits for a quick program. */
const shortestLimit = 20_000;

/** What each call of a client gave with each model, and what was seen of the answers that it got. */
export async function measure(client, models) {
  await install(client);
  const names = (await told(client, ['sim-reference'], '', () => undefined)).map(({ call }) => call);
  const results = [];
  for (const call of names) {
    const { lines, seen } = await asked(client, models, call, shortestLimit);
    // On a busy machine a call that is only slow looks the same, and so does one whose answer never ended.
    const doubtful = lines.filter(({ error, model }) => error === inTime && (seen.get(model) ?? []).every(isWhole));
    if (doubtful.length > 0) {
      const again = await asked(client, [reference, ...doubtful.map(({ model }) => model)], call, 2 * shortestLimit);
      for (const { model } of doubtful) {
        lines[lines.findIndex((line) => line.model === model)] = again.lines.find((line) => line.model === model);
        seen.set(model, again.seen.get(model));
      }
    }
    const right = lines.find(({ model }) => model === reference);
    if (right.error !== undefined) throw new Error(`${client.id} ${call}: ${right.error} with the reference`);
    for (const line of lines) {
      const answers = seen.get(line.model) ?? [];
      const rightly = seen.get(reference) ?? [];
      results.push({ ...line, effect: effectIn(line, right, answers, rightly), seen: answers, right: rightly });
    }
  }
  return { calls: names, results };
}

/**
 * What became of a call, compared with that of the reference; with the error where the library throws, or the code that
 * calls it, which careful code could be spared or not.
 */
export function effectIn({ error, value, trusting }, right, answers, rightly) {
  if (error !== undefined) return error === inTime ? 'hangs' : `throws ${withoutChance(error)}`;
  if (JSON.stringify(value ?? null).includes(marked)) return 'marks the call as invalid';
  const asked = askedAgain(answers, rightly);
  if (asked === 'in_other_words' && trusting === undefined) return 'asks again';
  const same = isRight(value, right.value, { held: callsIn(answers), right: callsIn(rightly) });
  if (trusting !== undefined) return `${same ? 'needs ?.' : 'your code throws'}: ${withoutChance(trusting)}`;
  if (!same) return 'wrong value';
  return asked === null ? 'works' : 'asks again';
}

const callsIn = (answers) => answers.flatMap(({ calls }) => calls);

/** Where an answer holds each call so many times, so does what a client makes of it; one that gives it once lost one. */
function isRight(value, right, calls) {
  const times = calls.held.length / calls.right.length;
  if (!(times > 1)) return isDeepStrictEqual(value, right);
  if (typeof value === 'string' && typeof right === 'string')
    return outputFault(value, right.split('\n'), calls) === null;
  if (!Array.isArray(value) || !Array.isArray(right)) return false;
  const known = (one) => right.some((other) => isDeepStrictEqual(one, other));
  return value.length === times * right.length && value.every(known);
}

/** The call of every model, and what was seen of the answers that it got. */
async function asked(client, models, call, limit) {
  const seen = new Map();
  const onAnswer = (answer) => {
    const { model, ...request } = JSON.parse(answer.request);
    const one = { request: JSON.stringify(request), ...seenInAnswer(answer) };
    seen.set(model, [...(seen.get(model) ?? []), one]);
  };
  return { lines: await told(client, models, call, onAnswer, limit), seen };
}

/** What fixtures/clients/tell.mjs says of a call that did not end. */
const inTime = 'Error: no answer in time';

/** What its programs say of a call that the library could not read. */
const marked = 'the call is marked as invalid';

const isWhole = (answer) => answer.class !== 'transport';

/**
 * Runs the client's program, each call for at most `limit` milliseconds; the embedded service is a new one, so that
 * every program sees the same.
 */
async function told(client, models, call, onAnswer, limit = 15_000) {
  const simulator = await simulate({ log: 0, onAnswer });
  try {
    const { stdout } = await run(client.command[0], [...client.command.slice(1), ...(call === '' ? [] : [call])], {
      cwd: folderOf(client),
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: simulator.baseUrl,
        OPENAI_API_KEY: 'sk-any',
        MODELS: models.join(' '),
        CALL_MS: String(limit),
        ...client.env,
      },
      maxBuffer: 2 ** 28,
    });
    // Some libraries warn on standard output.
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"model"'));
    return lines.map((line) => JSON.parse(line));
  } finally {
    await simulator.close();
  }
}

/** By quirk, or by outcome class: which models showed it, and what became of the calls that met it. */
function tableOf(measured, names, hitsOf) {
  const table = {};
  for (const name of names) {
    const hits = measured.map(({ client, results }) => ({ client, hits: hitsOf(results, name) }));
    const models = [...new Set(hits.flatMap(({ hits: own }) => own.map(({ model }) => model)))].sort();
    if (models.length === 0) continue;
    table[name] = {
      models,
      clients: Object.fromEntries(hits.flatMap(({ client, hits: own }) => effectsOf(client, own))),
    };
  }
  return table;
}

/**
 * Of each call, the answers that show the quirk and no other beyond those of the reference. Where no model gives such
 * an answer: those whose other quirks are known to do no harm to this call, so that the quirk is to blame.
 */
export function quirkHits(results, name) {
  const shown = results.filter((result) => inForm(result, name));
  return [...grouped(shown)].flatMap(([call, hits]) => {
    const alone = hits.filter((hit) => othersIn(hit, name).length === 0);
    // What breaks although the reference shows the quirk as well breaks by something else.
    const isUsual = hits.some(({ right }) => right.some(({ quirks }) => quirks.includes(name)));
    if (isUsual) return alone.filter(({ effect }) => effect === 'works');
    if (alone.length > 0) return alone;
    const ofCall = results.filter((result) => result.call === call);
    const harmless = (other) => ofCall.some((result) => result.effect === 'works' && inForm(result, other));
    return hits.filter((hit) => hit.effect === 'works' || othersIn(hit, name).every(harmless));
  });
}

/**
 * An odd form of the right answer: what says something else says nothing about how a client reads the quirk. A request
 * that was not made to the reference follows from what the client made of an earlier answer, and so does one that is
 * lacking.
 */
const inForm = ({ seen, right }, name) =>
  seen.some(({ quirks }) => quirks.includes(name)) &&
  seen.every((one) => one.class === null && alikeWhereAsked(name, one, right));

function alikeWhereAsked(name, one, right) {
  const other = right.find(({ request }) => request === one.request);
  return other === undefined || answersAlike(name, one, other);
}

function othersIn({ seen, right }, name) {
  const usual = new Set([name, ...right.flatMap(({ quirks }) => quirks)]);
  return [...new Set(seen.flatMap(({ quirks }) => quirks))].filter((quirk) => !usual.has(quirk));
}

/** A service that never ends its answer keeps every client waiting. */
const classHits = (results, name) =>
  results.filter(
    ({ seen, effect }) => seen.some((one) => one.class === name) && (effect !== 'hangs' || seen.every(isWhole)),
  );

function grouped(hits) {
  const groups = new Map();
  for (const hit of hits) groups.set(hit.call, [...(groups.get(hit.call) ?? []), hit]);
  return groups;
}

/**
 * The calls that met it by what became of them; of several models the worst counts, and those that differ are told
 * apart.
 */
function effectsOf({ id }, hits) {
  if (hits.length === 0) return [];
  const worst = {};
  const differs = {};
  for (const [call, own] of grouped(hits)) {
    // Of texts of the same rank the first of the alphabet, whichever model answered first.
    const texts = own
      .map(({ effect }) => effect)
      .sort((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
    worst[call] = texts[0];
    const kinds = [...new Set(texts.map(effectKind))];
    if (kinds.length > 1)
      differs[call] = Object.fromEntries(
        kinds.map((kind) => [
          kind,
          own.flatMap(({ effect, model }) => (effectKind(effect) === kind ? [model] : [])).sort(),
        ]),
      );
  }
  const calls = Object.entries(worst).sort();
  const broken = calls.filter(([, text]) => text !== 'works');
  const told = Object.entries(differs).sort();
  return [
    [
      id,
      {
        works: calls.filter(([, text]) => text === 'works').map(([call]) => call),
        ...(broken.length > 0 && { breaks: Object.fromEntries(broken) }),
        ...(told.length > 0 && { differs: Object.fromEntries(told) }),
      },
    ],
  ];
}

/** The port differs from run to run, and so does what node-fetch calls a connection that broke. */
const withoutChance = (text) =>
  text
    .replace(/(127\.0\.0\.1):\d+/g, '$1')
    .replace(/read ECONNRESET|Premature close|other side closed/, 'read ECONNRESET or Premature close');

const ranks = { works: 0, 'asks again': 1, 'needs ?.': 2, 'wrong value': 4 };
const rank = (text) => ranks[effectKind(text)] ?? 3;

/** What these clients made of all models; of those that this machine can run. */
async function measuredNow(ids) {
  const models = await measuredModels(join(root, 'fixtures', 'profiles'));
  const measured = [];
  for (const client of clients.filter(({ id }) => ids.includes(id))) {
    const started = Date.now();
    try {
      measured.push({ client, ...(await measure(client, models)) });
      console.error(`${client.id}: ${((Date.now() - started) / 1000).toFixed(0)} s`);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      console.error(`${client.id} keeps its rows: this machine has no ${error.path}`);
    }
  }
  return { models, measured };
}

/** The table with these clients measured anew, and what it says of the others. */
function tableWith({ models, measured }, before) {
  const done = measured.map(({ client }) => client.id);
  const told = new Map(measured.map(({ client, calls }) => [client.id, describe(client, calls)]));
  return {
    format: 'chatspec-clients/1',
    measured: new Date().toISOString().slice(0, 10),
    clients: clients.flatMap(
      ({ id }) => told.get(id) ?? before?.clients.filter((one) => one.id === id).map(renamed) ?? [],
    ),
    models,
    calls: callsMean,
    quirks: merged(before?.quirks, tableOf(measured, Object.keys(knownQuirks).sort(), quirkHits), done),
    classes: merged(before?.classes, tableOf(measured, [...outcomeClasses], classHits), done),
    unmeasured,
  };
}

function describe(client, calls) {
  return {
    ...{
      id: client.id,
      ecosystem: client.ecosystem,
      package: client.package,
      version: versionIn(client, client.package),
    },
    ...(client.via !== undefined && { via: client.via, via_version: versionIn(client, client.via) }),
    program: programOf(client),
    calls: functionsOf(client.id, calls),
  };
}

const functionsOf = (id, calls) => Object.fromEntries([...calls].sort().map((call) => [call, methods[id][call]]));

/** What is not measured comes from scripts/client-facts.mjs. */
const renamed = (client) => ({ ...client, calls: functionsOf(client.id, Object.keys(client.calls)) });

/** The entries of these clients from the new table, those of others from the old one. */
function merged(before = {}, after, ids) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const order = [...outcomeClasses];
  names.sort((one, other) => order.indexOf(one) - order.indexOf(other) || (one < other ? -1 : 1));
  return Object.fromEntries(
    names.flatMap((name) => {
      const kept = Object.entries(before[name]?.clients ?? {}).filter(([id]) => !ids.includes(id));
      const all = { ...Object.fromEntries(kept), ...after[name]?.clients };
      const met = clients.flatMap(({ id }) => (all[id] === undefined ? [] : [[id, all[id]]]));
      const others = kept.length > 0 ? (before[name]?.models ?? []) : [];
      const models = [...new Set([...others, ...(after[name]?.models ?? [])])].sort();
      return met.length === 0 ? [] : [[name, { models, clients: Object.fromEntries(met) }]];
    }),
  );
}

async function main() {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const ids = words.length === 0 ? clients.map(({ id }) => id) : words;
  const now = await measuredNow(ids);
  // Read afterwards, since another client may have been measured meanwhile.
  const before = existsSync(file) ? parse(readFileSync(file, 'utf8')) : null;
  const table = tableWith(now, before);
  if (process.argv.includes('--check')) return check(before, table);
  writeFileSync(file, textOf(table));
  writeOverview(table);
}

function textOf(data) {
  const document = new Document(data, { aliasDuplicateObjects: false });
  document.commentBefore =
    ' What client libraries make of every quirk and outcome class. Written by npm run clients; do not edit. The programs are in the repository.';
  visit(document, {
    Seq: (_, node) => {
      if (node.items.every(isScalar)) node.flow = true;
    },
    Scalar: (_, node) => {
      if (typeof node.value === 'string') node.value = withoutOpenBracket(node.value);
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Errors are cut, and a file in which hundreds of brackets stay open is taken for one that nests too deeply. */
export function withoutOpenBracket(text) {
  const open = [];
  for (const [at, sign] of [...text].entries()) {
    if (sign === '[' || sign === '{') open.push(at);
    if (sign === ']' || sign === '}') open.pop();
  }
  return open.length === 0 ? text : [...text].slice(0, open[0]).join('').trimEnd();
}

const languages = { npm: 'JavaScript', pypi: 'Python', go: 'Go', maven: 'Java' };
const shownCalls = ['plain', 'streamed', 'structured', 'json', 'tool', 'named_tool', 'streamed_tool', 'tool_loop'];

/** The table of docs/clients.md: of the quirks that each call of each library met, how many break it. */
export function overview({ clients: measured, quirks }) {
  const cellOf = (id, call) => {
    const met = Object.values(quirks).flatMap(({ clients: all }) => all[id] ?? []);
    const broken = met.filter(({ breaks = {} }) => breaks[call] !== undefined).length;
    const read = met.filter(({ works }) => works.includes(call)).length;
    return broken + read === 0 ? '-' : `${broken}/${broken + read}`;
  };
  const rows = measured.map(({ id, ecosystem, package: name, version, via }) => [
    languages[ecosystem],
    `\`${ecosystem}:${name}\` ${version}${via === undefined ? '' : ` with \`${via}\``}`,
    ...shownCalls.map((call) => cellOf(id, call)),
  ]);
  const head = ['language', 'library', ...shownCalls.map((call) => call.replace('_', ' '))];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** Puts the overview into its page; `npm run format` sets its columns. */
function writeOverview(table) {
  const page = join(root, 'docs', 'clients.md');
  const text = readFileSync(page, 'utf8');
  const head = /^\| language .*(?:\n\|.*)*/m;
  writeFileSync(
    page,
    text.replace(head, () => overview(table).join('\n')),
  );
}

/** The date may differ. */
function check(before, now) {
  const plain = JSON.parse(JSON.stringify(now));
  const found = differences({ ...before, measured: plain.measured }, plain);
  for (const line of found) console.log(line);
  console.log(`fixtures/clients.yaml ${found.length === 0 ? 'is' : 'differs from'} what was measured`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

/** By place: what it was, and what it is. */
function differences(before, now, place = '') {
  const isNode = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isNode(before) || !isNode(now)) {
    const [was, is] = [before, now].map((value) => JSON.stringify(value) ?? 'nothing');
    return was === is ? [] : [`${place}: ${was} -> ${is}`];
  }
  return Object.keys({ ...before, ...now }).flatMap((name) =>
    differences(before[name], now[name], place === '' ? name : `${place} ${name}`),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
