import { requestKind } from '../../chat/request-kind.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { signOf } from '../../judge/refusals/answer-sign.js';
import type { ReportRun } from '../../matrix/report-format.js';

type Throttled = NonNullable<ReportRun['throttled']>[number];

/** Milliseconds. What is kept grows with the length of a run, not with its trials. */
const bucket = 500;
/** Milliseconds of the stretches that are compared, at least and at most. */
const [shortest, longest] = [5000, 60_000];
/** A stretch in which a smaller share was refused has held. */
const held = 0.05;

/** Fewer refusals in a whole run are no reason to change its limits. */
const worthNaming = 3;

interface Moment {
  answered: number;
  refused: number;
  /** Milliseconds spent on requests that were answered, summed over them. */
  busy: number;
}

interface TargetSeen {
  requests: number;
  readonly statuses: Set<number>;
  readonly moments: Map<number, Moment>;
  /** First attempts that were answered, and all refusals, by model and kind of request. */
  readonly kinds: Map<string, { answered: number; refused: number }>;
}

/** Collects what each target refused for load, in whatever order its exchanges come. */
export interface LoadSeen {
  add(record: ExchangeRecord): void;
  /** The targets that throttled. */
  throttled(): readonly Throttled[];
}

export function openLoadSeen(): LoadSeen {
  const targets = new Map<string, TargetSeen>();
  return {
    add({ model, attempt, exchange: { request, answer, timing } }) {
      const target = model.slice(0, model.indexOf('/'));
      const seen = targets.get(target) ?? nothingSeen();
      targets.set(target, seen);
      seen.requests += 1;
      const kindKey = `${requestKind(request.body)} ${model}`;
      const kind = seen.kinds.get(kindKey) ?? { answered: 0, refused: 0 };
      seen.kinds.set(kindKey, kind);
      const { status } = answer;
      const refused = signOf(request.body, answer).kind === 'load';
      const startedAt = Date.parse(timing.started_at);
      const moment = momentAt(seen, startedAt);
      if (refused) {
        kind.refused += 1;
        moment.refused += 1;
        if (status !== null) seen.statuses.add(status);
        return;
      }
      if (attempt === 0) kind.answered += 1;
      moment.answered += 1;
      const end = startedAt + timing.total_ms;
      for (let from = startedAt; from < end;) {
        const to = Math.min(end, (Math.floor(from / bucket) + 1) * bucket);
        momentAt(seen, from).busy += to - from;
        from = to;
      }
    },
    throttled: () => [...targets].flatMap(([target, seen]) => throttledBy(target, seen) ?? []),
  };
}

const nothingSeen = (): TargetSeen => ({ requests: 0, statuses: new Set(), moments: new Map(), kinds: new Map() });

function momentAt({ moments }: TargetSeen, at: number): Moment {
  const index = Math.floor(at / bucket);
  const moment = moments.get(index) ?? { answered: 0, refused: 0, busy: 0 };
  moments.set(index, moment);
  return moment;
}

function throttledBy(target: string, { requests, statuses, moments, kinds }: TargetSeen): Throttled | null {
  // A kind of request whose first attempts were never answered is refused for its form, not for load.
  const refused = [...kinds.values()].reduce((sum, kind) => sum + (kind.answered > 0 ? kind.refused : 0), 0);
  if (refused < worthNaming) return null;
  const best = bestStretch(moments);
  return {
    target,
    requests,
    refused,
    statuses: [...statuses].sort((a, b) => a - b),
    held: {
      concurrency: Math.max(1, Math.round(best.busy / best.ms)),
      requests_per_minute: Math.max(1, Math.floor((60_000 * best.answered) / best.ms)),
    },
  };
}

/** The stretch in which most was answered and almost nothing refused; otherwise the one with the smallest share refused. */
function bestStretch(moments: ReadonlyMap<number, Moment>): Moment & { readonly ms: number } {
  let [first, last] = [Infinity, -Infinity];
  for (const index of moments.keys()) [first, last] = [Math.min(first, index), Math.max(last, index)];
  const length = Math.min(last - first + 1, Math.ceil(clamped(((last - first) * bucket) / 4) / bucket));
  let best: (Moment & { readonly ms: number; readonly share: number }) | null = null;
  for (const [start] of moments) {
    if (start + length - 1 > last) continue;
    const sum = { answered: 0, refused: 0, busy: 0 };
    for (let index = start; index < start + length; index += 1) {
      const moment = moments.get(index);
      sum.answered += moment?.answered ?? 0;
      sum.refused += moment?.refused ?? 0;
      sum.busy += moment?.busy ?? 0;
    }
    const share = sum.refused / Math.max(1, sum.answered + sum.refused);
    const stretch = { ...sum, ms: length * bucket, share: share <= held ? 0 : share };
    if (best === null || stretch.share < best.share) best = stretch;
    else if (stretch.share === best.share && stretch.answered > best.answered) best = stretch;
  }
  return best ?? { answered: 0, refused: 0, busy: 0, ms: bucket };
}

const clamped = (ms: number): number => Math.min(longest, Math.max(shortest, ms));
