import type { SeededRandom } from '../profiles/seeded-random.js';
import type { KnownTask } from './known-tasks.js';
import type { Profile } from '../profiles/profile.js';
import type { ChatRequest } from '../http/request.js';
import type { Thinking } from './thinking.js';

/** Everything that one answer depends on. */
export interface AnswerContext {
  readonly profile: Profile;
  readonly request: ChatRequest;
  /** Differs from request to request. */
  readonly random: SeededRandom;
  /** Decides what is said; the same for the same question at `temperature` 0 or with the same `seed`. */
  readonly words: SeededRandom;
  readonly thinking: Thinking;
  /** The known task that the conversation quotes; null when it quotes none. */
  readonly task: KnownTask | null;
  /** The text that the conversation asks to repeat; null when it asks for none. */
  readonly textToRepeat: string | null;
  /** Number of earlier attempts at this trial. */
  readonly attempt: number;
  /** Requests of the model that are being answered, this one included. */
  readonly inFlight: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
