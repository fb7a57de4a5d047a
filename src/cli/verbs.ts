import { fileFormats, reportFormats } from '../report/report-formats.js';
import type { Verb } from './verb.js';

const config = ['--config <FILE>', 'the config file (default: chatspec.yaml)'] as const;
const json = ['--json', 'print data as JSON'] as const;

const namesOf = (formats: readonly { readonly name: string }[]): string => formats.map(({ name }) => name).join();
const { json: data, summary, terminal } = reportFormats;
/** Two files are written whatever `--format` says. */
const filesToWrite = `files to write: ${namesOf(fileFormats)} (default: all; ${data.name} and ${summary.name} always)`;

/** Options that decide which cells are planned, for every verb that plans. */
const planning = [
  ['--models <GLOB>', 'only models whose TARGET/MODEL or id matches', 'many'],
  ['--suites <GLOB>', 'only suites whose name matches', 'many'],
  ['--only <PATTERN>', 'only cells whose key matches; * stands for any characters', 'many'],
  ['--skip <PATTERN>', 'leave out cells whose key matches', 'many'],
  ['--tags <LIST>', 'only probes with one of these tags', 'many'],
  ['--profile <NAME>', 'smoke, standard or certify (default: standard)'],
  ['--trials <N>', 'exactly N trials per cell, without follow-up trials'],
  ['--seed <N>', 'seed for everything random (default: 1)'],
] as const;

const lastFailed = [
  '--last-failed [RUN]',
  'only what deviated, did not pass or could not be measured in RUN (default: the newest run), and what that needs',
] as const;

/** Every verb, in the order of `chatspec --help`. */
export const verbs: readonly Verb[] = [
  {
    usage: 'run',
    summary: 'run every planned cell, judge the answers and write a run folder',
    options: [
      config,
      json,
      ...planning,
      ['--concurrency <N>', 'requests in flight at once, for each target'],
      ['--shard <I/N>', 'only part I of N of the models, with 1/N of every limit; join the run folders with merge'],
      ['--out <DIR>', 'the run folder'],
      ['--resume', 'continue the run in --out (default: the newest run)'],
      lastFailed,
      ['--dry-run', 'print the plan and send nothing'],
      ['--fail-on <WHAT>', 'what makes the exit code 1: deviation, regression, fail or never (default: deviation)'],
      ['--format <LIST>', filesToWrite],
      ['--history <DIR>', 'the folder with earlier run folders (default: reports/runs, if the run goes there)'],
      ['--budget-requests <N>', 'stop before sending more requests than this'],
      ['--budget-tokens <N>', 'stop before using more tokens than this'],
      ['--compress', 'compress the journal once the run has ended; every command reads both forms'],
      ['--quiet', 'only the result and errors'],
      ['--verbose', 'a line for each request, without what was said'],
    ],
    load: () => import('./verbs/run.js'),
  },
  {
    usage: 'list',
    summary: 'print the planned cells with requests, tokens, cost and minimum time; sends nothing',
    options: [
      config,
      json,
      ...planning,
      ['--shard <I/N>', 'only part I of N of the models, with 1/N of every limit'],
      lastFailed,
    ],
    load: () => import('./verbs/list.js'),
  },
  {
    usage: 'validate',
    summary: 'check the config, the suites and the baseline',
    options: [config, json],
    load: () => import('./verbs/validate.js'),
  },
  {
    usage: 'report <RUN>',
    summary: 'render a run folder again in any format; sends nothing',
    options: [
      config,
      json,
      ['--format <LIST>', `${namesOf(Object.values(reportFormats))} (default: ${terminal.name})`],
      ['--out <DIR>', 'where to write files (default: the run folder)'],
      ['--history <DIR>', 'the folder with earlier run folders (default: reports/runs, if the run is there)'],
      ['--site <DIR>', 'write a static site of this run and the earlier ones'],
    ],
    load: () => import('./verbs/report.js'),
  },
  {
    usage: 'rejudge <RUN>',
    summary: 'judge recorded exchanges again with the current suites and rules; sends nothing',
    options: [
      config,
      json,
      ...planning,
      ['--out <DIR>', 'where to write the new report (default: RUN-rejudged)'],
      ['--fail-on <WHAT>', 'as for run'],
    ],
    load: () => import('./verbs/rejudge.js'),
  },
  {
    usage: 'diff [RUNS...]',
    summary: 'compare two runs (the last two), or two models or targets of one; exits with 1 if something was lost',
    options: [
      config,
      json,
      ['--models <A...>', 'A B: compare two models of one run'],
      ['--targets <A...>', 'A B: compare two targets of one run'],
      ['--format <NAME>', 'terminal, md or json (default: terminal)'],
      ['--markdown', 'as --format md'],
    ],
    load: () => import('./verbs/diff.js'),
  },
  {
    usage: 'baseline <ACTION> <RUN>',
    summary: 'baseline accept RUN: expect the results of this run from now on',
    options: [
      config,
      json,
      ['--only <PATTERN>', 'only cells whose key matches', 'many'],
      ['--dry-run', 'print what would be written as a diff, and write nothing'],
    ],
    load: () => import('./verbs/baseline.js'),
  },
  {
    usage: 'merge <RUNS...>',
    summary: 'join the run folders of shards into one; exits as the whole run would',
    options: [
      config,
      json,
      ['--out <DIR>', 'the run folder'],
      ['--fail-on <WHAT>', 'as for run'],
      ['--format <LIST>', filesToWrite],
    ],
    load: () => import('./verbs/merge.js'),
  },
  {
    usage: 'doctor',
    summary:
      "check a service's address and key with one plain request to each model; print the addresses for other tools",
    options: [
      config,
      json,
      ['--target <NAME>', 'which target (default: all)', 'many'],
      ['--model <NAME>', 'which model: TARGET/ID, id or common name (default: all)', 'many'],
    ],
    load: () => import('./verbs/doctor.js'),
  },
  {
    usage: 'capabilities <ACTION> <RUN>',
    summary: 'capabilities export RUN: print the verified capability map, for applications',
    options: [
      config,
      ['--json', 'print JSON, as without it'],
      ['--days <N>', 'for how many days after the run the evidence counts (default: 30)'],
      ['--format <NAME>', 'map, litellm or models.dev (default: map)'],
    ],
    load: () => import('./verbs/capabilities.js'),
  },
  {
    usage: 'check',
    summary: 'ask one model with one schema and one prompt which request forms can be relied on, and how to ask',
    options: [
      config,
      json,
      ['--model <MODEL>', 'TARGET/MODEL or id of the config; with --base-url, the id that the service knows'],
      ['--schema <FILE>', 'a JSON Schema, as JSON or YAML'],
      ['--prompt <TEXT>', 'the prompt; @FILE reads it from a file, - from standard input'],
      ['--base-url <URL>', 'without a config: what stands before /chat/completions, or simulator'],
      ['--api-key-env <NAME>', 'with --base-url: the variable that holds the key (default: CHATSPEC_API_KEY)'],
      ['--max-tokens <LIST>', 'the only values of max_tokens to try (default: 4096, then the smallest that is enough)'],
      ['--trials <N>', 'exactly N trials of each form (default: until decided, 20 at most)'],
      ['--budget-requests <N>', 'stop before sending more requests than this (default: 200)'],
      ['--out <DIR>', 'the run folder (default: reports/checks/ and the time)'],
    ],
    load: () => import('./verbs/check.js'),
  },
  {
    usage: 'shapes <ACTION> [CMD...]',
    summary:
      'shapes record|check -- CMD: the request shapes that a client library sends; to-suite makes a suite of them',
    options: [
      config,
      json,
      ['--lock <FILE>', 'the lock file (default: shapes.lock.yaml)'],
      ['--against <RUN>', 'check: say of each change what the models of this run can do, cannot do, or were not asked'],
      ['--fail-on <WHICH>', 'check: any change (default), or only one that --against calls unsupported'],
    ],
    load: () => import('./verbs/shapes.js'),
  },
  {
    usage: 'clients <ACTION> [CMD...]',
    summary: 'clients try -- CMD: what a client program makes of every quirk and outcome class',
    options: [
      json,
      ['--quirks <LIST>', 'only these quirks and outcome classes', 'many'],
      ['--time-limit <S>', 'seconds for one run of the program (default: 20)'],
    ],
    load: () => import('./verbs/clients.js'),
  },
  {
    usage: 'simulate',
    summary: 'start only the embedded service; it serves until SIGTERM',
    options: [
      ['--port <N>', 'port on the loopback interface; 0 picks a free one (default: 0)'],
      ['--seed <N>', 'seed for its random answers (default: 1)'],
      ['--profiles <LIST>', 'files or folders with profiles of your own, besides those of the package'],
    ],
    load: () => import('./verbs/simulate.js'),
  },
  {
    usage: 'evidence <RUN> [CELL...]',
    summary:
      "print the redacted exchanges of cells, by key or pattern, or of one exchange by its id, with every field that the service's support needs",
    options: [config, json],
    load: () => import('./verbs/evidence.js'),
  },
  {
    usage: 'prune',
    summary: 'thin old run folders: their requests and answers go, what history and comparisons need stays',
    options: [
      config,
      json,
      ['--keep <N>', 'how many of the newest whole runs stay as they are'],
      ['--dry-run', 'print what would go, and remove nothing'],
    ],
    load: () => import('./verbs/prune.js'),
  },
  {
    usage: 'completion <SHELL>',
    summary: 'print the completion script for bash, zsh or fish',
    options: [],
    load: () => import('./verbs/completion.js'),
  },
  {
    usage: 'init',
    summary: 'write a starter config, suite and workflow; overwrites nothing',
    options: [['--config <FILE>', 'the config file to write (default: chatspec.yaml)'], json],
    load: () => import('./verbs/init.js'),
  },
];
