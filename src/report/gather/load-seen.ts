import { requestKind } from '../../chat/request-kind.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { AnswerSign } from '../../judge/refusals/answer-sign.js';
import type { ReportRun } from '../../matrix/report-format.js';
import { sum } from '../../stats/sum.js';
import { followsLoad } from './follows-load.js';
import { hitsOnePart } from './hits-one-part.js';

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
  /** First attempts, and those of them that were refused. */
  asked: number;
  turnedAway: number;
  /** Milliseconds spent on requests that were answered, summed over them. */
  busy: number;
}

interface ModelSeen {
  requests: number;
  readonly statuses: Set<number>;
  readonly moments: Map<number, Moment>;
  /** First attempts that were answered, and all refusals, by kind of request. */
  readonly kinds: Map<string, { answered: number; refused: number }>;
}

/** Collects what each target refused for load, in whatever order its exchanges come. */
export interface LoadSeen {
  /** @param sign what the answer says of load */
  add(record: ExchangeRecord, sign: AnswerSign): void;
  /** The targets that throttled. */
  throttled(): readonly Throttled[];
}

export function openLoadSeen(): LoadSeen {
  const targets = new Map<string, Map<string, ModelSeen>>();
  return {
    add({ model, attempt, exchange: { request, answer, timing } }, sign) {
      const seen = modelIn(targets, model);
      seen.requests += 1;
      const name = requestKind(request.body);
      const kind = seen.kinds.get(name) ?? { answered: 0, refused: 0 };
      seen.kinds.set(name, kind);
      const { status } = answer;
      const refused = sign.kind === 'load';
      const startedAt = Date.parse(timing.started_at);
      const moment = momentAt(seen.moments, Math.floor(startedAt / bucket));
      if (attempt === 0) moment.asked += 1;
      if (refused) {
        kind.refused += 1;
        moment.refused += 1;
        if (attempt === 0) moment.turnedAway += 1;
        if (status !== null) seen.statuses.add(status);
        return;
      }
      if (attempt === 0) kind.answered += 1;
      moment.answered += 1;
      const end = startedAt + timing.total_ms;
      for (let from = startedAt; from < end;) {
        const to = Math.min(end, (Math.floor(from / bucket) + 1) * bucket);
        momentAt(seen.moments, Math.floor(from / bucket)).busy += to - from;
        from = to;
      }
    },
    throttled: () => [...targets].flatMap(([target, models]) => throttledBy(target, models) ?? []),
  };
}

function modelIn(targets: Map<string, Map<string, ModelSeen>>, model: string): ModelSeen {
  const target = model.slice(0, model.indexOf('/'));
  const models = targets.get(target) ?? new Map<string, ModelSeen>();
  targets.set(target, models);
  const seen = models.get(model) ?? { requests: 0, statuses: new Set(), moments: new Map(), kinds: new Map() };
  models.set(model, seen);
  return seen;
}

function momentAt(moments: Map<number, Moment>, index: number): Moment {
  const moment = moments.get(index) ?? nothing();
  moments.set(index, moment);
  return moment;
}

const nothing = (): Moment => ({ answered: 0, refused: 0, asked: 0, turnedAway: 0, busy: 0 });

function throttledBy(target: string, models: ReadonlyMap<string, ModelSeen>): Throttled | null {
  const all = [...models.values()];
  const refused = sum(all.map(refusedBy));
  if (refused < worthNaming) return null;
  const alone = aloneIn(models, refused);
  const seen = alone === null ? all : alone.seen;
  const moments = together(seen.map((one) => one.moments));
  const inOrder = [...moments].sort(([a], [b]) => a - b).map(([, moment]) => moment);
  return {
    target,
    ...(alone !== null && { model: alone.model }),
    requests: sum(seen.map(({ requests }) => requests)),
    refused,
    statuses: [...new Set(seen.flatMap(({ statuses }) => [...statuses]))].sort((a, b) => a - b),
    ...(followsLoad(inOrder) && { held: limitsIn(moments) }),
  };
}

/** A kind of request whose first attempts were never answered is refused for its form, not for load. */
function refusedBy({ kinds }: ModelSeen): number {
  return sum([...kinds.values()].map(({ answered, refused }) => (answered > 0 ? refused : 0)));
}

/** The one model that was refused, where others were asked so much that chance would hardly spare them. */
function aloneIn(
  models: ReadonlyMap<string, ModelSeen>,
  refused: number,
): { readonly model: string; readonly seen: readonly ModelSeen[] } | null {
  const [found] = [...models].filter(([, seen]) => refusedBy(seen) === refused);
  if (found === undefined) return null;
  const [model, seen] = found;
  const share = seen.requests / sum([...models.values()].map(({ requests }) => requests));
  return hitsOnePart(share, refused) ? { model, seen: [seen] } : null;
}

function together(all: readonly ReadonlyMap<number, Moment>[]): ReadonlyMap<number, Moment> {
  const moments = new Map<number, Moment>();
  for (const [index, one] of all.flatMap((own) => [...own])) {
    const moment = momentAt(moments, index);
    for (const name of Object.keys(one) as (keyof Moment)[]) moment[name] += one[name];
  }
  return moments;
}

function limitsIn(moments: ReadonlyMap<number, Moment>): NonNullable<Throttled['held']> {
  const best = bestStretch(moments);
  return {
    concurrency: Math.max(1, Math.round(best.busy / best.ms)),
    requests_per_minute: Math.max(1, Math.floor((60_000 * best.answered) / best.ms)),
  };
}

interface Stretch extends Pick<Moment, 'answered' | 'refused' | 'busy'> {
  readonly ms: number;
}

/** The stretch in which most was answered and almost nothing refused; otherwise the one with the smallest share refused. */
function bestStretch(moments: ReadonlyMap<number, Moment>): Stretch {
  let [first, last] = [Infinity, -Infinity];
  for (const index of moments.keys()) [first, last] = [Math.min(first, index), Math.max(last, index)];
  const length = Math.min(last - first + 1, Math.ceil(clamped(((last - first) * bucket) / 4) / bucket));
  let best: (Stretch & { readonly share: number }) | null = null;
  for (const [start] of moments) {
    if (start + length - 1 > last) continue;
    const total = { answered: 0, refused: 0, busy: 0 };
    for (let index = start; index < start + length; index += 1) {
      const moment = moments.get(index);
      total.answered += moment?.answered ?? 0;
      total.refused += moment?.refused ?? 0;
      total.busy += moment?.busy ?? 0;
    }
    const share = total.refused / Math.max(1, total.answered + total.refused);
    const stretch = { ...total, ms: length * bucket, share: share <= held ? 0 : share };
    if (best === null || stretch.share < best.share) best = stretch;
    else if (stretch.share === best.share && stretch.answered > best.answered) best = stretch;
  }
  return best ?? { answered: 0, refused: 0, busy: 0, ms: bucket };
}

const clamped = (ms: number): number => Math.min(longest, Math.max(shortest, ms));
