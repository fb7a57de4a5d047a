import type { Reply } from '../../chat/reply.js';
import type { ExchangeRecord, RunEvent } from '../../journal/event.js';
import { refusalName } from '../../judge/refusals/refusal-name.js';
import { sumOfUsage } from '../../matrix/cost.js';
import { noUsage, type ModelSeen } from '../../matrix/gathered.js';
import { mostFingerprints } from '../../matrix/served-by.js';
import { reportExcerpt } from '../safe/capped.js';
import { usageIn } from './answer-times.js';

/** So many names of a model are kept: more than fingerprints, since a service that routes requests has many. */
export const mostServed = 100;

const emptyModelSeen: ModelSeen = { reachable: null, outcome: null, served: [], fingerprints: [], usage: noUsage };

/** Results of the answers of each model. */
export interface SeenModels {
  readonly all: ReadonlyMap<string, ModelSeen>;
  readonly addAnswer: (record: ExchangeRecord, reply: Reply | null) => void;
  readonly addOpening: (opening: Extract<RunEvent, { type: 'model' }>) => void;
}

export function createSeenModels(): SeenModels {
  const all = new Map<string, ModelSeen>();
  return {
    all,
    addAnswer({ model, served, fingerprint, exchange }, reply) {
      const seen = all.get(model) ?? emptyModelSeen;
      all.set(model, {
        reachable: seen.reachable,
        outcome: seen.outcome,
        served: withName(seen.served, served, mostServed),
        servedCounts: withCount(seen.servedCounts ?? {}, served),
        fingerprints: withName(seen.fingerprints ?? [], fingerprint, mostFingerprints),
        usage: sumOfUsage(seen.usage, usageIn(reply)),
        refusals: withRefusal(seen.refusals ?? [], exchange),
        requests: (seen.requests ?? 0) + 1,
      });
    },
    addOpening({ model, reachable, outcome }) {
      const shown = { ...outcome, detail: reportExcerpt(outcome.detail), value: undefined, reply: null, wire: [] };
      all.set(model, { ...(all.get(model) ?? emptyModelSeen), reachable, outcome: shown });
    },
  };
}

/** Two names tell that a model refuses not everything alike. */
function withRefusal(names: readonly string[], { request, answer }: ExchangeRecord['exchange']): readonly string[] {
  return names.length > 1 || names[0] === 'completed' ? names : withName(names, refusalName(request.body, answer), 2);
}

function withName(names: readonly string[], found: string | null, most: number): readonly string[] {
  if (found === null || names.length >= most) return names;
  const name = reportExcerpt(found);
  return names.includes(name) ? names : [...names, name];
}

function withCount(counts: Readonly<Record<string, number>>, served: string | null): Readonly<Record<string, number>> {
  const name = reportExcerpt(served);
  if (name === null || (Object.keys(counts).length >= mostServed && !Object.hasOwn(counts, name))) return counts;
  return { ...counts, [name]: (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1 };
}
