import type { Report, ReportRun } from '../../matrix/report-format.js';
import { durationText } from '../view/choices/latency-text.js';
import { loadSentence } from '../view/load-sentence.js';
import { stopSentence } from '../view/stop-sentences.js';

/** What the run spent, what held it back, and how it can be repeated. What does not apply is left out. */
export function runFacts({ run }: Pick<Report, 'run'>): readonly { readonly name: string; readonly value: string }[] {
  const { usage, digests } = run;
  const facts: Readonly<Record<string, string | null>> = {
    Run: run.id,
    Started: run.started_at,
    Finished: run.finished_at ?? 'not finished',
    Duration: durationOf(run),
    Profile: run.profile,
    Seed: String(run.seed),
    Tool: `${run.tool.name} ${run.tool.version}`,
    Config: run.config ?? null,
    Requests: amount(run.requests),
    'Prompt tokens': amount(usage.prompt_tokens),
    'Completion tokens': amount(usage.completion_tokens),
    'For reasoning': usage.reasoning_tokens === 0 ? null : amount(usage.reasoning_tokens),
    Tokens: amount(usage.total_tokens),
    Cost: run.cost === null ? 'not known, because no price is configured' : String(Number(run.cost.toPrecision(4))),
    'Held back': (run.throttled ?? []).map(loadSentence).join('; ') || 'no target refused requests for load',
    Stopped: run.stops.map((stop) => stopSentence(stop)).join('; ') || null,
    'Config digest': digests.config,
    'Suites digest': digests.suites,
    'Schemas digest': digests.schemas,
  };
  return Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : { name, value }));
}

const amount = (number: number): string => number.toLocaleString('en');

/** "4.2 s", "12 min", "3 h 5 min"; null: it did not finish. */
function durationOf({ started_at: from, finished_at: to }: ReportRun): string | null {
  const ms = to === null ? NaN : Date.parse(to) - Date.parse(from);
  if (!Number.isFinite(ms) || ms < 0) return null;
  if (ms < 60_000) return durationText(ms);
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
