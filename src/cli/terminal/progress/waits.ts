import type { WaitReason } from '../../../journal/event.js';
import type { ModelSoFar } from './model-so-far.js';

/** What a target waits for. */
export type Waiting =
  | { readonly target: string; readonly kind: WaitReason; readonly seconds: number }
  /** No answer has come for some time. */
  | { readonly target: string; readonly kind: 'answer'; readonly seconds: number }
  /** All its other models are done. */
  | { readonly target: string; readonly kind: 'model'; readonly model: string; readonly cells: number };

/** A wait that was announced; `until` in milliseconds since the epoch. */
export interface Wait {
  readonly reason: WaitReason;
  readonly until: number;
}

/** Seconds without an answer that are worth a word. */
export const longSilence = 15;

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly began: number;
  /** By `TARGET/MODEL`. */
  readonly models: ReadonlyMap<string, ModelSoFar>;
  /** By target. */
  readonly waits: ReadonlyMap<string, Wait>;
}

/** What each target waits for, if it waits at all. */
export function waitingNow(
  at: number,
  { began, models, waits, lastAnswer }: Moment & { readonly lastAnswer: ReadonlyMap<string, number> },
): readonly Waiting[] {
  const targets = new Map<string, { readonly all: number; readonly open: [string, ModelSoFar][] }>();
  for (const [key, model] of models) {
    const { all, open } = targets.get(model.target) ?? { all: 0, open: [] };
    if (model.cells > 0) open.push([key, model]);
    targets.set(model.target, { all: all + 1, open });
  }
  return [...targets].flatMap(([target, { all, open }]): Waiting[] => {
    const [last] = open;
    if (last === undefined) return [];
    const wait = waits.get(target);
    if (wait !== undefined && wait.until > at) {
      return [{ target, kind: wait.reason, seconds: Math.ceil((wait.until - at) / 1000) }];
    }
    const silence = (at - Math.max(lastAnswer.get(target) ?? began, wait?.until ?? began)) / 1000;
    if (silence >= longSilence) return [{ target, kind: 'answer', seconds: Math.floor(silence) }];
    if (all === 1 || open.length > 1) return [];
    return [{ target, kind: 'model', model: last[0], cells: last[1].cells }];
  });
}
