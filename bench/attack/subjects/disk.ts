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
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { journalName } from '../../../src/journal/journal.js';
import type { Attack, AttackResult } from '../attack.js';
import { inFolder } from '../attack-folder.js';
import { attackedCli, startCli, type CliEnd } from '../attacked-cli.js';

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

/** When a merge is killed, by what its folder holds and how much it has written of the journal that it is to make. */
const moments: Readonly<
  Record<string, (left: { readonly names: readonly string[]; readonly share: number }) => boolean>
> = {
  'at its first line': ({ share }) => share > 0,
  'at a third of its lines': ({ share }) => share > 1 / 3,
  'at most of its lines': ({ share }) => share > 0.9,
  'once it has a journal': ({ names }) => names.includes(journalName),
  'among its reports': ({ names }) => names.some((name) => name.startsWith('report.')),
};

async function killedMerge(cwd: string, cli: Cli): Promise<AttackResult> {
  const parts = ['1', '2'].map((part) => ['--shard', `${part}/2`, '--out', `s${part}`] as const);
  await Promise.all(parts.map((part) => cli(...run, '--only', 's/plain', '--trials', '400', ...part)));
  const journals = ['s1', 's2'].map((name) => join(cwd, name, journalName));
  const whole = journals.reduce((sum, file) => sum + sizeOf(file), 0);
  const merge = ['merge', 's1', 's2', '--out', 'm', '--fail-on', 'never'];
  const folder = join(cwd, 'm');
  const missed: string[] = [];
  for (const [moment, isNow] of Object.entries(moments)) {
    const killed = startCli(merge, { cwd });
    const over = killed.done.then(() => true);
    const left = () => {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      const draft = names.find((name) => name.startsWith(`${journalName}.`) && name.includes(`-${killed.pid}-`));
      return { names, share: draft === undefined ? 0 : sizeOf(join(folder, draft)) / whole };
    };
    while (!isNow(left())) {
      if (!(await Promise.race([over, sleep(1, false)]))) continue;
      missed.push(moment);
      break;
    }
    killed.kill('SIGKILL');
    await over;
  }
  const again = await cli(...merge);
  const kept = readdirSync(folder).filter((name) => name.endsWith('.tmp')).length;
  const [answers, merged] = [await answersIn(journals), await answersIn([join(folder, journalName)])];
  return {
    held: again.code === 0 && merged === answers && answers > 0 && kept === 0 && missed.length === 0,
    figure: [
      `exit ${again.code}, ${merged} of ${answers} answers, ${kept} unfinished files left`,
      ...missed.map((moment) => `not killed ${moment}`),
    ].join('; '),
  };
}

/** 0 for a file that has just gone. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function answersIn(journals: readonly string[]): Promise<number> {
  const texts = await Promise.all(journals.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{"type":"exchange"')).length;
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
  const reports = (await readdir(folder)).filter((name) => name !== journalName);
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
  const good = await readFile(join(cwd, 'run', journalName), 'utf8');
  const report = JSON.parse(await readFile(join(cwd, 'run', 'report.json'), 'utf8')) as object;
  const ends: CliEnd[] = [];
  const mended: CliEnd[] = [];
  for (const made of ['[]', '{"results":[]}', { ...report, cells: 7 }, { ...report, run: { id: 1 } }]) {
    await mkdir(join(cwd, 'made'), { recursive: true });
    await writeFile(join(cwd, 'made', journalName), good);
    await writeFile(join(cwd, 'made', 'report.json'), typeof made === 'string' ? made : JSON.stringify(made));
    ends.push(
      ...(await Promise.all([
        cli('report', 'made'),
        cli('diff', 'run', 'made'),
        cli('evidence', 'made', 's/plain@t/sim-reference'),
        cli('baseline', 'accept', 'made'),
      ])),
    );
    // The journal is whole, so the report can be made again.
    const again = `again-${mended.length}`;
    mended.push(await cli('rejudge', 'made', '--fail-on', 'never', '--out', again), await cli('report', again));
  }
  const [first = ''] = good.split('\n', 1);
  const extra = ['{"type":"exchange"}', '{"type":"run_started","run":7}', first, 'x', '7', '\0\0'];
  const without = good.slice(first.length + 1);
  for (const hurt of [...extra.map((line) => good.replace('\n', () => `\n${line}\n`)), without]) {
    await mkdir(join(cwd, 'hurt'), { recursive: true });
    await writeFile(join(cwd, 'hurt', journalName), hurt);
    const verbs = [cli('rejudge', 'hurt'), cli('run', '--resume', '--out', 'hurt')];
    ends.push(...(await Promise.all(verbs)));
  }
  const clear = ends.filter(({ code, stderr }) => code === 2 && !/bug|\n {4}at /.test(stderr)).length;
  const well = mended.filter(({ code }) => code === 0).length;
  return {
    held: clear === ends.length && well === mended.length,
    figure: `${clear} of ${ends.length} commands ended with one clear error; ${well / 2} of ${mended.length / 2} reports made again from their journal`,
  };
}

async function tornLine(cwd: string, cli: Cli): Promise<AttackResult> {
  await cli(...run);
  const journal = join(cwd, 'run', journalName);
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
