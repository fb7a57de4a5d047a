import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Attack, AttackResult } from './attack.js';
import { inFolder } from './attack-folder.js';
import { attackedCli, startCli, type CliEnd } from './attacked-cli.js';

const request = { messages: [{ role: 'user', content: 'Say hello.' }] };
const exploding = '$count($split($pad("", 500000000, "a"), "")) = 1';
const files = {
  'chatspec.yaml': {
    targets: { t: { base_url: 'simulator', models: ['sim-reference', 'sim-wobbly'] } },
    suites: ['s.yaml'],
    out: 'run',
  },
  's.yaml': {
    suite: 's',
    probes: {
      plain: { request, trials: 40 },
      ruled: { request, expect: { rules: [{ id: 'exploding', assert: exploding }] } },
    },
  },
};

type Cli = (...args: readonly string[]) => Promise<CliEnd>;

export const attacks: readonly Attack[] = [
  { name: 'a merge killed five times, then run again', run: () => inProject(killedMerge) },
  { name: 'a run killed in a container, resumed in the next', run: () => inProject(restartedContainer) },
  { name: 'reports that are links, and files that a kill left', run: () => inProject(linksAndLeftovers) },
  { name: 'made-up reports and journal lines, in every verb', run: () => inProject(madeUp) },
  { name: 'a torn line of 600 MB', run: () => inProject(tornLine) },
  { name: 'an --out that cannot exist', run: () => inProject(impossibleOut) },
  { name: 'a rule that makes a list of 500 million letters', run: () => inProject(largeList) },
];

function inProject(play: (cwd: string, cli: Cli) => Promise<AttackResult>): Promise<AttackResult> {
  return inFolder(files, (cwd) => play(cwd, (...args) => attackedCli(args, { cwd })));
}

const run = ['run', '--fail-on', 'never'];

async function killedMerge(cwd: string, cli: Cli): Promise<AttackResult> {
  for (const part of ['1', '2']) await cli(...run, '--shard', `${part}/2`, '--out', `s${part}`);
  const merge = ['merge', 's1', 's2', '--out', 'm', '--fail-on', 'never'];
  for (const share of [0.5, 0.7, 0.8, 0.9, 0.95]) {
    const { seconds } = await cli('list', '--json');
    const killed = startCli(merge, { cwd });
    setTimeout(() => killed.kill('SIGKILL'), seconds * 1000 * share);
    await killed.done;
  }
  const again = await cli(...merge);
  const names = await readdir(join(cwd, 'm'));
  const lines = async (name: string) => (await readFile(join(cwd, name, 'journal.jsonl'), 'utf8')).split('\n').length;
  const exchanges = (await lines('s1')) + (await lines('s2')) - 6;
  const merged = (await lines('m')) - 3;
  return {
    held: again.code === 0 && merged === exchanges && !names.some((name) => name.endsWith('.tmp')),
    figure: `exit ${again.code}, ${merged} of ${exchanges} answers, nothing sent`,
  };
}

async function restartedContainer(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  const lock = join(cwd, 'run', 'journal.lock');
  await writeFile(lock, JSON.stringify({ host: 'container-1', pid: 7, started: '1', run: 'r' }));
  const fresh = await cli(...run, '--resume', '--out', 'run');
  const then = Date.now() / 1000 - 61;
  await utimes(lock, then, then);
  const old = await cli(...run, '--resume', '--out', 'run');
  return {
    held: fresh.code === 2 && old.code === 0,
    figure: `silent for 0 s: exit ${fresh.code}; for 61 s: exit ${old.code}`,
  };
}

async function linksAndLeftovers(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  const folder = join(cwd, 'run');
  await writeFile(join(cwd, 'precious'), 'mine');
  const reports = (await readdir(folder)).filter((name) => name !== 'journal.jsonl');
  for (const name of reports) {
    await rename(join(folder, name), join(cwd, `old-${name}`));
    await symlink(join(cwd, 'precious'), join(folder, name));
  }
  await cli(...run, '--resume', '--out', 'run');
  const links = (await Promise.all(reports.map((name) => lstat(join(folder, name))))).filter((one) =>
    one.isSymbolicLink(),
  );
  const kept = (await readFile(join(cwd, 'precious'), 'utf8')) === 'mine';
  return { held: kept && links.length === 0, figure: `${reports.length} links, ${links.length} left, none followed` };
}

async function madeUp(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  const good = await readFile(join(cwd, 'run', 'journal.jsonl'), 'utf8');
  const report = JSON.parse(await readFile(join(cwd, 'run', 'report.json'), 'utf8')) as object;
  const ends: CliEnd[] = [];
  for (const made of ['[]', '{"results":[]}', { ...report, cells: 7 }, { ...report, run: { id: 1 } }]) {
    await mkdir(join(cwd, 'made'), { recursive: true });
    await writeFile(join(cwd, 'made', 'journal.jsonl'), good);
    await writeFile(join(cwd, 'made', 'report.json'), typeof made === 'string' ? made : JSON.stringify(made));
    ends.push(
      ...(await Promise.all([
        cli('report', 'made'),
        cli('diff', 'run', 'made'),
        cli('evidence', 'made', 's/plain@t/sim-reference'),
        cli('baseline', 'accept', 'made'),
        cli('rejudge', 'made'),
      ])),
    );
  }
  for (const line of ['{"type":"exchange"}', '{"type":"run_started","run":7}', 'x', '7']) {
    await mkdir(join(cwd, 'hurt'), { recursive: true });
    await writeFile(join(cwd, 'hurt', 'journal.jsonl'), good.replace('\n', `\n${line}\n`));
    const verbs = [cli('rejudge', 'hurt'), cli('run', '--resume', '--out', 'hurt')];
    ends.push(...(await Promise.all(verbs)));
  }
  const clear = ends.filter(({ code, stderr }) => code === 2 && !/bug|\n {4}at /.test(stderr)).length;
  return { held: clear === ends.length, figure: `${clear} of ${ends.length} commands ended with one clear error` };
}

async function tornLine(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  const journal = join(cwd, 'run', 'journal.jsonl');
  await appendFile(journal, '{"type":"exchange","id":"');
  await truncate(journal, 600_000_000);
  const { code, peakMb } = await cli('rejudge', 'run', '--fail-on', 'never');
  return { held: code === 0 && peakMb < 300, figure: `exit ${code}, at most ${peakMb.toFixed(0)} MB` };
}

async function impossibleOut(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  await writeFile(join(cwd, 'a-file'), '');
  await symlink(join(cwd, 'loop'), join(cwd, 'loop'));
  const outs = ['a-file', 'a-file/below', 'loop/below', '/proc/nowhere/run', `/${'x'.repeat(300)}`];
  const ends = await Promise.all(
    outs.flatMap((out) => [cli('run', '--out', out), cli('rejudge', 'run', '--out', out)]),
  );
  const refused = ends.filter(({ code, stderr }) => code === 2 && !/bug|\n {4}at /.test(stderr)).length;
  const most = ends.reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
  return {
    held: refused === ends.length,
    figure: `${refused} of ${ends.length} refused before anything was sent, after at most ${most.toFixed(1)} s`,
  };
}

async function largeList(cwd: string, cli: Cli): Promise<AttackResult> {
  const { code, peakMb, stdout } = await cli(...run);
  const told =
    stdout.includes('more memory') || (await readFile(join(cwd, 'run', 'report.json'), 'utf8')).includes('more memory');
  return {
    held: code === 0 && told && peakMb < 500,
    figure: `exit ${code}, at most ${peakMb.toFixed(0)} MB; the rule ${told ? 'says' : 'does not say'} that it took too much`,
  };
}
