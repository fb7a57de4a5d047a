/** What the help of a verb says below its options. */
export interface HelpText {
  /** Two command lines that somebody would type. */
  readonly examples: readonly [string, string];
  /** Exit codes with what they mean. */
  readonly exits: readonly (readonly [code: number | 'N', meaning: string])[];
}

const usage = [2, 'a mistake in usage, config, suites or baseline'] as const;
const data = [[0, 'done'], usage] as const;
const asRun = [
  [0, 'as expected'],
  [1, 'a deviation from the baseline (see --fail-on)'],
  [2, 'a mistake in usage, config, suites or baseline, or a missing key'],
  [3, 'could not measure: truncated, or too many cells without an answer'],
] as const;
const interrupted = [130, 'interrupted'] as const;

/** By verb. */
export const helpTexts: Readonly<Record<string, HelpText>> = {
  run: {
    examples: ['chatspec run --tags nightly', "chatspec run --models 'service/*' --only 'json-schema/*' --trials 3"],
    exits: [...asRun, interrupted],
  },
  list: { examples: ['chatspec list --tags nightly', 'chatspec list --profile certify --json'], exits: data },
  validate: {
    examples: ['chatspec validate', 'chatspec validate --config night.yaml --json'],
    exits: [[0, 'valid, perhaps with warnings'], usage],
  },
  report: {
    examples: ['chatspec report reports/latest', 'chatspec report reports/latest --format html,junit --out public'],
    exits: data,
  },
  rejudge: {
    examples: ['chatspec rejudge reports/latest', "chatspec rejudge reports/latest --only 'orders/*'"],
    exits: asRun,
  },
  diff: {
    examples: [
      'chatspec diff reports/runs/MONDAY reports/latest',
      'chatspec diff reports/latest --models model-a model-b --format md',
    ],
    exits: [
      [0, 'nothing was lost'],
      [1, 'something was lost'],
      usage,
      [
        3,
        'nothing could be compared: no cell was judged on both sides, or none of a model or of what it no longer answers',
      ],
    ],
  },
  baseline: {
    examples: [
      'chatspec baseline accept reports/latest --dry-run',
      "chatspec baseline accept reports/latest --only 'tools/*'",
    ],
    exits: [
      [0, 'accepted, or the baseline says so already'],
      usage,
      [3, 'no cell of the run, or of --only, was judged: nothing was written'],
    ],
  },
  merge: {
    examples: ['chatspec merge shard-1 shard-2 --out merged', 'chatspec merge shards/* --out merged --format junit'],
    exits: [...asRun, interrupted],
  },
  doctor: {
    examples: ['chatspec doctor', 'chatspec doctor --model service/model-a --json'],
    exits: [[0, 'every model gave a usable answer'], usage, [3, 'one did not']],
  },
  capabilities: {
    examples: [
      'chatspec capabilities export reports/latest > capabilities.json',
      'chatspec capabilities export reports/latest --days 7 --format litellm',
    ],
    exits: [...data, [3, 'the run judged nothing: the map knows nothing of any model']],
  },
  check: {
    examples: [
      "chatspec check --model model-a --schema invoice.json --prompt 'Extract the invoice: ...'",
      'chatspec check --base-url https://service.example/v1 --model model-a --schema invoice.json --prompt @invoice.txt',
    ],
    exits: [
      [0, 'some form can be relied on'],
      [1, 'none can'],
      [2, 'a mistake in options, schema, prompt or config, or a missing key'],
      [3, 'could not be measured'],
      interrupted,
    ],
  },
  shapes: {
    examples: [
      'chatspec shapes record -- node app.js',
      'chatspec shapes check --against reports/latest -- node app.js',
    ],
    exits: [
      [0, 'done, or nothing has changed'],
      [1, 'a shape changed, appeared or is gone; with --fail-on unsupported, a model cannot do what is sent now'],
      usage,
      [3, 'with --fail-on unsupported: the run judged nothing, so it says nothing of the changes'],
      ['N', 'the client failed with exit code N: nothing was compared, and standard output is empty'],
    ],
  },
  clients: {
    examples: ['chatspec clients try -- node app.js', 'chatspec clients try --json -- python app.py'],
    exits: [[0, 'tried, whatever came of it'], usage],
  },
  simulate: {
    examples: ['chatspec simulate --port 8080', 'chatspec simulate --profiles my-models.yaml > service.json &'],
    exits: [[0, 'ended by SIGTERM or SIGINT'], usage],
  },
  evidence: {
    examples: [
      "chatspec evidence reports/latest 'tools/order[tool_choice=object]@service/model-a'",
      "chatspec evidence reports/latest 'tools/order*' --json",
    ],
    exits: data,
  },
  prune: {
    examples: ['chatspec prune --keep 30', 'chatspec prune --keep 30 --dry-run --json'],
    exits: [
      [0, 'done'],
      [2, 'a mistake in usage or config'],
      [3, 'some files could not be removed'],
    ],
  },
  completion: {
    examples: [
      'source <(chatspec completion bash)',
      'chatspec completion fish > ~/.config/fish/completions/chatspec.fish',
    ],
    exits: data,
  },
  init: { examples: ['chatspec init', 'chatspec init --config night.yaml'], exits: data },
};

/** For the help of a verb; empty for one that has none. */
export function helpFooter(verb: string): string {
  const text = helpTexts[verb];
  if (text === undefined) return '';
  const exits = text.exits.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  return ['', 'Examples:', ...text.examples.map((line) => `  ${line}`), '', 'Exit codes:', ...exits, ''].join('\n');
}
