import type { Verb } from './verb.js';

const config = ['--config <FILE>', 'the config file (default: chatspec.yaml)'] as const;
const json = ['--json', 'print data as JSON'] as const;

/** Which cells are planned; shared by every verb that plans. */
const planning = [
  ['--models <GLOB>', 'only models whose TARGET/MODEL (or id) matches', 'many'],
  ['--suites <GLOB>', 'only suites whose name matches', 'many'],
  ['--only <PATTERN>', 'only cells whose key matches; * stands for any characters', 'many'],
  ['--skip <PATTERN>', 'not the cells whose key matches', 'many'],
  ['--tags <LIST>', 'only probes with one of these tags, comma-separated'],
  ['--profile <NAME>', 'smoke, standard or certify (default: standard)'],
  ['--trials <N>', 'exactly N trials a cell, nothing else'],
  ['--seed <N>', 'seed of everything random (default: 1)'],
] as const;

/** Every verb that works, in the order of `chatspec --help`. */
export const verbs: readonly Verb[] = [
  {
    usage: 'run',
    summary: 'plan, ask, judge, decide and report; writes a run folder',
    options: [
      config,
      json,
      ...planning,
      ['--concurrency <N>', 'requests at once for each target'],
      [
        '--shard <I/N>',
        "only part I of N of the models, with that part of every limit; merge joins the parts' folders",
      ],
      ['--out <DIR>', 'the run folder'],
      ['--resume', 'go on where the run in --out (default: the newest) stopped'],
      ['--dry-run', 'print the plan, send nothing'],
      ['--fail-on <WHAT>', 'deviation, regression, fail or never (default: deviation)'],
      ['--format <LIST>', 'what is written: html,md,junit,failures (default: all)'],
      ['--budget-requests <N>', 'never send more requests than this'],
      ['--budget-tokens <N>', 'never use more tokens than this'],
    ],
    load: () => import('./verbs/run.js'),
  },
  {
    usage: 'list',
    summary: 'the planned cells with requests, tokens, cost and least time; sends nothing',
    options: [config, json, ...planning],
    load: () => import('./verbs/list.js'),
  },
  {
    usage: 'validate',
    summary: 'check config, suites and baseline',
    options: [config, json],
    load: () => import('./verbs/validate.js'),
  },
  {
    usage: 'report <RUN>',
    summary: 'render any format again from a run folder, sending nothing',
    options: [
      config,
      json,
      ['--format <LIST>', 'terminal,html,md,junit,failures,json (default: terminal)'],
      ['--out <DIR>', 'where files go (default: the run folder)'],
    ],
    load: () => import('./verbs/report.js'),
  },
  {
    usage: 'rejudge <RUN>',
    summary: "judge the recorded exchanges again with today's suites and rules, sending nothing",
    options: [
      config,
      json,
      ...planning,
      ['--out <DIR>', 'where the new report goes (default: RUN-rejudged)'],
      ['--fail-on <WHAT>', 'as for run'],
    ],
    load: () => import('./verbs/rejudge.js'),
  },
  {
    usage: 'diff [RUNS...]',
    summary: 'two runs, or two models or targets of one run; exit 1 when something was lost',
    options: [
      config,
      json,
      ['--models <A...>', 'A B: compare two models of the run BASE'],
      ['--targets <A...>', 'A B: compare two targets of the run BASE'],
      ['--markdown', 'print Markdown'],
    ],
    load: () => import('./verbs/diff.js'),
  },
  {
    usage: 'baseline <ACTION> <RUN>',
    summary: 'baseline accept RUN: take what the run showed as expected from now on',
    options: [config, ['--only <PATTERN>', 'only cells whose key matches']],
    load: () => import('./verbs/baseline.js'),
  },
  {
    usage: 'merge <RUNS...>',
    summary: 'join the run folders of shards into one, with the exit code of the whole',
    options: [
      config,
      json,
      ['--out <DIR>', 'the run folder'],
      ['--fail-on <WHAT>', 'as for run'],
      ['--format <LIST>', 'as for run'],
    ],
    load: () => import('./verbs/merge.js'),
  },
  {
    usage: 'doctor',
    summary: 'first check of a service: address, key, one plain request, and the addresses for other tools',
    options: [
      config,
      json,
      ['--target <NAME>', 'which target (default: all)'],
      ['--model <ID>', 'which model (default: the first)'],
    ],
    load: () => import('./verbs/doctor.js'),
  },
  {
    usage: 'simulate',
    summary: 'the embedded service alone; serves until SIGTERM',
    options: [
      ['--port <N>', 'port on loopback; 0 picks one (default: 0)'],
      ['--seed <N>', 'seed of its randomness (default: 1)'],
    ],
    load: () => import('./verbs/simulate.js'),
  },
  {
    usage: 'evidence <RUN> <CELL>',
    summary: "redacted exchanges of a cell, with every field that the service's support asks for",
    options: [config, json],
    load: () => import('./verbs/evidence.js'),
  },
  {
    usage: 'init',
    summary: 'write a starter config, suite and workflow; never overwrites',
    options: [['--config <FILE>', 'the config file to write (default: chatspec.yaml)'], json],
    load: () => import('./verbs/init.js'),
  },
];
