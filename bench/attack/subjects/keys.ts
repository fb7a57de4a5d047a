import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maskBody } from '../../../src/masking/mask-body.js';
import { createMasker } from '../../../src/masking/masker.js';
import { findsKey } from '../../../test/support/keys/find-key.js';
import { leakyConfig, leakySuite, serveLeaks, ways } from '../../../test/support/keys/leaky-service.js';
import { mistakes } from '../../../test/support/keys/mistakes.js';
import { inFolder } from '../attack-folder.js';
import type { Attack, AttackResult } from '../attack.js';
import { attackedCli } from '../attacked-cli.js';

const random = 'Zq7-pLm2Xw9Kc4Vt8Rb1Ny6J';

export const attacks: readonly Attack[] = [
  { name: 'a service gives keys back in every way', run: () => givenBack('correct horse battery', `${random}+/==`) },
  { name: 'keys of eight letters, and with signs', run: () => givenBack('hunter22', 'a.b*c(d)[e]{f}^$|g?h\\i') },
  { name: "another target's key in the text of a suite", run: foreignKeyInSuite },
  { name: 'keys written where none belongs', run: writtenByMistake },
  { name: 'what masking costs 10,000 small answers', run: costOfMasking },
  { name: 'a stream of 10 MB in small deltas', run: costOfLongStream },
];

async function leftIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

/** Runs against a service that gives back the own key and that of a target which the filter leaves out. */
async function givenBack(own: string, other: string): Promise<AttackResult> {
  const keys = [own, other];
  const service = await serveLeaks(keys);
  const files = { 'chatspec.yaml': leakyConfig(service.baseUrl), 'leak.yaml': leakySuite };
  const env = { OWN_KEY: own, OTHER_KEY: other };
  try {
    return await inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await attackedCli(
        ['run', '--out', 'r', '--trials', '2', '--models', 'leaky/*', '--fail-on', 'never'],
        { cwd, env },
      );
      const artefacts = new Map([...(await leftIn(join(cwd, 'r'))), ['what was printed', stdout + stderr]]);
      const leaks = [...artefacts].flatMap(([name, text]) =>
        keys.flatMap((key) => {
          const how = findsKey(text, key);
          return how === null ? [] : [`${name.slice(name.lastIndexOf('/') + 1)} (${how})`];
        }),
      );
      const figure = `${ways.length} ways, ${keys.length} keys, ${artefacts.size} files: ${leaks.length} leaks`;
      return { held: leaks.length === 0 && code !== null && code <= 3, figure: [figure, ...leaks].join('; ') };
    });
  } finally {
    await service.close();
  }
}

async function foreignKeyInSuite(): Promise<AttackResult> {
  const key = 'opensesame';
  const service = await serveLeaks([key]);
  const probe = { request: { messages: [{ role: 'user', content: `The word is ${key}.` }] } };
  const files = {
    'chatspec.yaml': leakyConfig(service.baseUrl),
    'leak.yaml': { suite: 'leak', probes: { p: probe } },
  };
  try {
    return await inFolder(files, async (cwd) => {
      const env = { OWN_KEY: random, OTHER_KEY: key };
      const { code } = await attackedCli(['run', '--out', 'r', '--models', 'leaky/*'], { cwd, env });
      const sent = service.keysSeen.length;
      return { held: code === 2 && sent === 0, figure: `exit ${code}, ${sent} requests with the key` };
    });
  } finally {
    await service.close();
  }
}

async function writtenByMistake(): Promise<AttackResult> {
  const leaks: string[] = [];
  for (const [place, mistake] of Object.entries(mistakes)) {
    const key = 'correct horse battery';
    const { files, args } = mistake(key);
    await inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await attackedCli(args, { cwd, env: { OTHER_KEY: key } });
      if (code !== 2 || findsKey(stdout + stderr, key) !== null) leaks.push(place);
    });
  }
  const count = Object.keys(mistakes).length;
  return {
    held: leaks.length === 0,
    figure: [`${count} places, ${leaks.length} printed or sent`, ...leaks].join('; '),
  };
}

const answer = (index: number): string =>
  JSON.stringify({
    id: `chatcmpl-${index.toString(16).padStart(12, '0')}`,
    object: 'chat.completion',
    created: 1_790_000_000 + index,
    model: 'large-2',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: `{"success":true,"order_id":"A-${index}","buyer":"Li Lei","total":897}`,
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 41, completion_tokens: 30, total_tokens: 71 },
  });

/** Beside what any client does with an answer: to parse it. */
async function costOfMasking(): Promise<AttackResult> {
  const answers = Array.from({ length: 10_000 }, (_, index) => answer(index));
  const timed = (work: (body: string) => unknown): number => {
    for (const body of answers.slice(0, 2000)) work(body);
    // Other programs on the machine change CPU time little.
    const before = process.cpuUsage();
    for (const body of answers) work(body);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const masker = createMasker([random, 'another-Key-9XqZ7', 'a third one of words']);
  const parsing = timed((body) => JSON.parse(body) as unknown);
  const masking = timed((body) => maskBody(body, masker, false));
  const figure = `${(masking / 10).toFixed(1)} µs of CPU each, beside ${(parsing / 10).toFixed(1)} µs to parse it`;
  return Promise.resolve({ held: masking < 200, figure });
}

async function costOfLongStream(): Promise<AttackResult> {
  const chunk = (text: string): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] })}\n\n`;
  const one = Array.from('zqj7-plm2xw9kc4vt8rb1ny6 ', chunk).join('');
  const body = one.repeat(Math.ceil(10_000_000 / one.length));
  const masker = createMasker([random]);
  const before = process.cpuUsage();
  maskBody(body, masker, false);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  return Promise.resolve({
    held: seconds < 3,
    figure: `${seconds.toFixed(2)} s of CPU to search ${body.length} characters`,
  });
}
