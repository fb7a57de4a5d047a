import type { Completion } from '../answers/draft.js';
import type { Do } from '../profiles/profile.js';

type Name = 'finish_reason' | 'usage';

type CompletionActions = {
  readonly [K in Name]: (completion: Completion, value: Exclude<Do[K], undefined>) => Completion;
};

/** What a fault can make of an answer after it was counted and cut. */
export const completionActions: CompletionActions = {
  finish_reason: (completion, finishReason) => ({ ...completion, finishReason }),
  usage: (completion, usage) => ({ ...completion, usage }),
};
