import type { Chance } from '../profiles/chance.js';
import type { KnownTask } from './knowledge.js';
import type { Profile } from '../profiles/profile.js';
import type { ChatRequest } from '../http/request.js';
import type { Thought } from './think.js';

/** Everything that one answer depends on. */
export interface Scene {
  readonly profile: Profile;
  readonly request: ChatRequest;
  readonly chance: Chance;
  readonly thought: Thought;
  /** What is known about the conversation; null when nothing is. */
  readonly task: KnownTask | null;
  /** The text that the conversation asks to repeat; null when none. */
  readonly repeat: string | null;
  /** How often this trial was tried before. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
