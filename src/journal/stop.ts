import type { OutcomeClass, Reason } from '../judge/outcome-classes.js';

/**
 * Why nothing more was sent, as data: from the budget or the answer that caused it up to report.json. The sentences
 * for people are made in src/report/words/stop-text.ts.
 */
export type StopReason =
  | BudgetUsedUp
  | { readonly kind: 'interrupted' }
  /** The account has no credit left, or none for this model, according to the answer of the model `answered_by`. */
  | {
      readonly kind: 'quota';
      readonly answered_by: string;
      readonly detail: string | null;
      /** The model that refused a plain request for the same reason, so that the whole account was stopped. */
      readonly confirmed_by?: string;
    }
  /** The service asks for a pause that is too long to wait for. */
  | { readonly kind: 'long_pause'; readonly answered_by: string; readonly seconds: number }
  /** Requests in a row were refused or not answered, and then a plain one, also when all other models were done. */
  | {
      readonly kind: 'unanswered';
      readonly answered_by: string;
      /** Of that plain request. */
      readonly class: OutcomeClass | null;
      readonly reason: Reason | null;
      readonly status: number | null;
      readonly detail: string | null;
    }
  /** Judged again: the recorded run was killed before this was asked. */
  | { readonly kind: 'cut_off' }
  /** A merged run lacks the shard that was to ask this. */
  | { readonly kind: 'missing_shard'; readonly shard: number; readonly of: number }
  /** Judged again: the recorded run finished without asking this. */
  | { readonly kind: 'not_recorded' };

export interface BudgetUsedUp {
  readonly kind: 'budget';
  readonly unit: 'requests' | 'tokens' | 'cost';
  readonly limit: number;
  /** The limit is one shard's part of the budget. */
  readonly shard_part: boolean;
  /**
   * Of tokens and cost, in the unit: what counts as spent, and what the next request could have taken, which no longer
   * fitted.
   */
  readonly spent?: number;
  readonly next?: number;
}

/** What stopped early: a model, a target (the model is null), or the whole run (both are). */
interface StopScope {
  readonly target: string | null;
  readonly model: string | null;
  /** For a merged shard: its models. The stop says nothing about any other. */
  readonly models?: readonly string[];
}

/** A stop as it is recorded. */
export type Stop = StopScope & StopReason;

const scope: ReadonlySet<string> = new Set<keyof StopScope>(['target', 'model', 'models']);

/** Why a model was not asked in a run that ended with these stops; null when none of them concerns it. */
export function whyNotAsked(
  stops: readonly Stop[],
  { key, target }: { readonly key: string; readonly target: string },
): StopReason | null {
  const stop = stops.find(
    ({ models, ...stopped }) =>
      (models?.includes(key) ?? true) &&
      (stopped.model === key || (stopped.model === null && (stopped.target === target || stopped.target === null))),
  );
  if (stop === undefined) return null;
  return Object.fromEntries(Object.entries(stop).filter(([name]) => !scope.has(name))) as unknown as StopReason;
}

/** Whether the run ended before it had asked everything, whatever the models and their targets did. */
export function endsRun({ target, model }: StopScope): boolean {
  return target === null && model === null;
}
