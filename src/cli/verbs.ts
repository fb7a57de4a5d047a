import { fileFormats, reportFormats } from '../report/report-formats.js';
import { address, budgets, planning, shardOption } from './options/deciding-options.js';
import { type Verb, type VerbOption, optionChoices } from './options/options.js';

const formatNames = (formats: readonly { readonly name: string }[]): readonly string[] =>
  formats.map(({ name }) => name);

const config: VerbOption = ['--config <FILE>', 'the config file (default: chatspec.yaml)'];
const json: VerbOption = ['--json', 'print data as JSON'];
const out: VerbOption = ['--out <DIR>', 'the run folder'];
/** What a program of the user finds in its environment. */
const environment: readonly VerbOption[] = [
  ['--env <NAME=VALUE>', 'set a variable for the command; {base_url}, {key} and {model} stand for theirs', 'many'],
  ['--no-env <NAME>', 'take a variable out of the environment of the command', 'many'],
];
const failOn: VerbOption = [
  '--fail-on <WHAT>',
  'what makes the exit code 1 (default: deviation)',
  optionChoices.failOn,
];
const formatOption: VerbOption = [
  '--format <LIST>',
  'files to write (default: all but ctrf, openmetrics and otel; json and summary always)',
  formatNames(fileFormats),
];
const history: VerbOption = ['--history <DIR>', 'the folder with earlier run folders (default: reports/runs)'];
const lastFailed: VerbOption = [
  '--last-failed [RUN]',
  'only what deviated, did not pass or could not be measured in RUN (default: the newest), and what that needs',
];
/** Every verb, in the groups and in the order of `chatspec --help`. */
export const verbGroups: Readonly<Record<string, readonly Verb[]>> = {
  'Every day:': [
    {
      usage: 'init',
      summary: 'write a starter config, suite and workflow',
      options: [
        config,
        json,
        ['--python', 'for an application in Python: no package.json, and an upgrade gate'],
        ['--go', 'the same for Go'],
        ['--java', 'the same for Java'],
      ],
      examples: ['chatspec init', 'chatspec init --python'],
      load: () => import('./verbs/init.js'),
    },
    {
      usage: 'doctor',
      summary: 'check address and key with one plain request to each model',
      options: [
        config,
        json,
        ['--target <NAME>', 'which target (default: all)', 'many'],
        ['--model <NAME>', 'which model: TARGET/ID, id or common name (default: all)', 'many'],
        ...address,
      ],
      examples: ['chatspec doctor', 'chatspec doctor --model service/model-a --json'],
      load: () => import('./verbs/doctor.js'),
    },
    {
      usage: 'run',
      summary: 'ask every planned cell, judge the answers, write a run folder',
      options: [
        config,
        json,
        ...planning,
        ...address,
        ['--concurrency <N>', 'requests in flight at once, for each target', { least: 1, most: 1000 }],
        shardOption,
        out,
        ['--resume', 'continue the run in --out (default: the newest run)'],
        lastFailed,
        ['--dry-run', 'print the plan and send nothing'],
        failOn,
        formatOption,
        history,
        ...budgets,
        ['--compress', 'compress the journal once the run has ended'],
        ['--quiet', 'only the result and errors'],
        ['--verbose', 'a line for each request, without what was said'],
      ],
      examples: [
        'chatspec run --tags nightly',
        'chatspec run --base-url http://127.0.0.1:8000/v1 --models a,b',
        "chatspec run --models 'service/*' --only 'json-schema/*' --trials 3",
      ],
      load: () => import('./verbs/run.js'),
    },
    {
      usage: 'check',
      summary: 'which request forms hold for one model, schema and prompt',
      options: [
        config,
        json,
        ['--model <MODEL>', 'TARGET/MODEL or id of the config; with --base-url, the id that the service knows'],
        ['--schema <FILE>', 'a JSON Schema, as JSON or YAML'],
        ['--prompt <TEXT>', 'the prompt; @FILE reads it from a file, - from standard input'],
        ...address,
        [
          '--max-tokens <LIST>',
          'the only values of max_tokens to try (default: 4096, then the smallest that is enough)',
        ],
        [
          '--trials <N>',
          'exactly N trials of each form (default: until decided, 20 at most)',
          { least: 1, most: 1000 },
        ],
        ['--budget-requests <N>', 'stop before sending more requests than this (default: 200)', { least: 1 }],
        ['--out <DIR>', 'the run folder (default: reports/checks/ and the time)'],
      ],
      examples: ["chatspec check --model model-a --schema invoice.json --prompt 'Extract the invoice: ...'"],
      load: () => import('./verbs/check.js'),
    },
    {
      usage: 'report <RUN>',
      summary: 'render a run folder again, in any format',
      options: [
        config,
        json,
        ['--format <LIST>', 'what to print or write (default: terminal)', formatNames(Object.values(reportFormats))],
        ['--out <DIR>', 'where to write files (default: the run folder)'],
        history,
        ['--site <DIR>', 'write a static site of this run and the earlier ones'],
      ],
      examples: ['chatspec report reports/latest', 'chatspec report reports/latest --format html,junit --out public'],
      load: () => import('./verbs/report.js'),
    },
    {
      usage: 'evidence <RUN> [CELL...]',
      summary: 'print the redacted exchanges of cells, for support',
      options: [config, json],
      examples: ["chatspec evidence reports/latest 'tools/order[tool_choice=object]@service/model-a'"],
      load: () => import('./verbs/evidence.js'),
    },
    {
      usage: 'diff [RUNS...]',
      summary: 'compare two runs, or two models or targets of one',
      options: [
        config,
        json,
        ['--models <A...>', 'A B: compare two models of one run'],
        ['--targets <A...>', 'A B: compare two targets of one run'],
        ['--format <NAME>', 'how to print it (default: terminal)', optionChoices.diffFormat],
      ],
      examples: ['chatspec diff reports/runs/MONDAY reports/latest', 'chatspec diff reports/latest --models a b'],
      load: () => import('./verbs/diff.js'),
    },
    {
      usage: 'baseline <ACTION> <RUN>',
      summary: 'accept RUN: expect the results of this run from now on',
      options: [
        config,
        json,
        ['--only <PATTERN>', 'only cells whose key matches', 'many'],
        ['--dry-run', 'print what would be written as a diff, and write nothing'],
        ['--prune', 'remove entries of models that the config no longer names'],
      ],
      examples: ["chatspec baseline accept reports/latest --only 'tools/*' --dry-run"],
      load: () => import('./verbs/baseline.js'),
    },
  ],
  'In CI:': [
    {
      usage: 'validate',
      summary: 'check the config, the suites and the baseline',
      options: [config, json, ['--quiet', 'only errors, no warnings']],
      examples: ['chatspec validate', 'chatspec validate --config night.yaml --json'],
      load: () => import('./verbs/validate.js'),
    },
    {
      usage: 'list',
      summary: 'print the planned cells, with what they will take',
      options: [config, json, ...planning, shardOption, lastFailed],
      examples: ['chatspec list --tags nightly', 'chatspec list --profile certify --json'],
      load: () => import('./verbs/list.js'),
    },
    {
      usage: 'merge <RUNS...>',
      summary: 'join the run folders of shards into one',
      options: [config, json, out, failOn, formatOption],
      examples: ['chatspec merge shard-1 shard-2 --out merged', 'chatspec merge shards/* --out merged --format junit'],
      load: () => import('./verbs/merge.js'),
    },
    {
      usage: 'prune',
      summary: 'thin old run folders, keeping what history needs',
      options: [
        config,
        json,
        ['--keep <N>', 'how many of the newest whole runs stay as they are', { least: 1 }],
        ['--dry-run', 'print what would go, and remove nothing'],
      ],
      examples: ['chatspec prune --keep 30', 'chatspec prune --keep 30 --dry-run --json'],
      load: () => import('./verbs/prune.js'),
    },
  ],
  'For upgrades:': [
    {
      usage: 'capabilities <ACTION> <RUN> [FILE]',
      summary: 'export RUN: the verified capability map; compare RUN FILE: what others declare wrongly',
      options: [
        config,
        ['--json', 'print JSON; export does so without it'],
        ['--days <N>', 'for how many days after the run the evidence counts (default: 30)', { least: 1, most: 3650 }],
        ['--format <NAME>', 'the form of the map (default: map)', optionChoices.mapForm],
      ],
      examples: ['chatspec capabilities export reports/latest > capabilities.json'],
      load: () => import('./verbs/capabilities.js'),
    },
    {
      usage: 'shapes <ACTION> [CMD...]',
      summary: 'record|check -- CMD: the request shapes of a client library',
      options: [
        config,
        json,
        ['--lock <FILE>', 'the lock file (default: shapes.lock.yaml)'],
        ...environment,
        ['--library <NAME=VERSION>', 'name a library that sends the requests', 'many'],
        ['--against <RUN>', 'check: say of each change what the models of this run can do'],
        [
          '--fail-on <WHICH>',
          'check: which changes give 1 (default: shape); unsupported needs --against',
          optionChoices.shapesFailOn,
        ],
      ],
      examples: ['chatspec shapes record -- node app.js', 'chatspec shapes check -- node app.js'],
      load: () => import('./verbs/shapes.js'),
    },
    {
      usage: 'clients <ACTION> [CMD...]',
      summary: 'try -- CMD: what a client makes of odd and faulty answers',
      options: [
        json,
        ...environment,
        ['--quirks <LIST>', 'only these quirks and outcome classes', 'many'],
        ['--jobs <N>', 'runs of the program at the same time (default: two for each core)', { least: 1, most: 64 }],
        [
          '--time-limit <S>',
          'seconds for one run (default: five times that with right answers, at least 20)',
          { least: 1, most: 3600 },
        ],
        ['--fail-on <WHICH>', 'which effects of a quirk or class give 1 (default: never)', optionChoices.clientsFailOn],
        ['--baseline <FILE>', 'output of an earlier clients try --json: only what has changed since gives 1'],
      ],
      examples: ['chatspec clients try -- node app.js', 'chatspec clients try --json -- python app.py'],
      load: () => import('./verbs/clients.js'),
    },
  ],
  'Now and then:': [
    {
      usage: 'judge [FILE]',
      summary: 'judge recorded answers, sending nothing: a line for each request and its answer',
      options: [
        config,
        ['--json', 'print JSON lines, as without it'],
        ['--request <FILE>', 'the request of the answers in FILE or on standard input'],
      ],
      examples: ['chatspec judge log.jsonl', 'curl -si URL -d @request.json | chatspec judge --request request.json'],
      load: () => import('./verbs/judge.js'),
    },
    {
      usage: 'rejudge <RUN>',
      summary: "judge recorded answers again by today's suites and rules",
      options: [
        config,
        json,
        ...planning,
        ['--out <DIR>', 'where to write the new report (default: RUN-rejudged)'],
        failOn,
      ],
      examples: ['chatspec rejudge reports/latest', "chatspec rejudge reports/latest --only 'orders/*'"],
      load: () => import('./verbs/rejudge.js'),
    },
    {
      usage: 'simulate',
      summary: 'start the embedded service, until SIGTERM',
      options: [
        ['--port <N>', 'port on the loopback interface; 0 picks a free one (default: 0)', { least: 0, most: 65_535 }],
        ['--seed <N>', 'seed for its random answers (default: 1)', { least: 0 }],
        ['--profiles <LIST>', 'files or folders with profiles of your own, besides those of the package'],
      ],
      examples: ['chatspec simulate --port 8080', 'chatspec simulate --profiles my-models.yaml > service.json &'],
      load: () => import('./verbs/simulate.js'),
    },
    {
      usage: 'completion <SHELL>',
      summary: 'print the completion script for bash, zsh or fish',
      options: [],
      examples: ['source <(chatspec completion bash)'],
      load: () => import('./verbs/completion.js'),
    },
  ],
};
