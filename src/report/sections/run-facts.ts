import type { Report } from '../../matrix/report-format.js';
import { texts } from '../words/catalogue.js';
import { type Plain, say } from '../words/message.js';

const { facts } = texts;

export interface RunFact {
  readonly name: string;
  readonly value: string;
}

/** Facts of the run: requests, times and cost. */
export function runFacts({ run }: Report): readonly RunFact[] {
  const { usage, digests } = run;
  const took = run.finished_at === null ? null : (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
  const filters = Object.entries(run.filters ?? {}).map(([name, value]) => `--${name} ${String(value)}`);
  const all: readonly (readonly [Plain, string | null])[] = [
    [facts.started, run.started_at],
    [facts.took, took === null ? null : say(facts.seconds, { seconds: Math.round(took) })],
    [facts.profile, run.profile],
    [facts.filters, filters.join(' ') || null],
    [facts.requests, run.requests.toLocaleString('en')],
    [facts.tokens, say(facts.tokensOf, { tokens: usage.total_tokens, reasoning: usage.reasoning_tokens })],
    [facts.cost, run.cost === null ? null : run.cost.toFixed(4)],
    [facts.seed, String(run.seed)],
    [facts.tool, `${run.tool.name} ${run.tool.version}`],
    [facts.digests, [digests.config, digests.suites, digests.schemas].map((one) => one.slice(0, 16)).join(', ')],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : { name: say(name), value }));
}
