import { isObject, type Json, type JsonObject, writtenJson } from '../../json/json.js';
import { remembered } from '../../json/remembered.js';
import type { ChatRequest } from '../http/request.js';
import { serviceError, type ServiceError } from '../http/response.js';
import type { Profile, Traits } from '../profiles/profile.js';
import type { seededRandom } from '../profiles/seeded-random.js';
import type { KnownTask } from './known-tasks.js';

/** Whether and how long the model thinks about a request. */
interface Thinking {
  /** Output tokens; 0: it does not think. */
  readonly tokens: number;
}

/** How long a model thinks about a request; a setting with a value that the model does not accept is refused. */
export function thinkingFor(request: ChatRequest, traits: Traits['thinking']): Thinking | ServiceError {
  const { type, effort } = thinkingSettings(request.body);
  if (type !== null && !traits.types.includes(type)) return unsupported('thinking.type', type, traits.types);
  if (effort !== null && !traits.efforts.includes(effort)) {
    return unsupported('reasoning_effort', effort, traits.efforts);
  }
  if (!isThinkingOn(type, effort, traits)) return { tokens: 0 };
  if (traits.format_tokens !== null && request.responseFormat.kind !== 'text') return { tokens: traits.format_tokens };
  const named = effort === null || !traits.obeys ? undefined : traits.tokens[effort];
  return { tokens: named ?? traits.tokens['default'] ?? 0 };
}

function isThinkingOn(type: string | null, effort: string | null, traits: Traits['thinking']): boolean {
  const byDefault = traits.default === 'on';
  if (!traits.obeys) return byDefault;
  if (type !== null) return type !== 'disabled';
  return effort === null ? byDefault : effort !== 'none';
}

/** `thinking.type` (or an equivalent setting) and `reasoning_effort`. */
function thinkingSettings(body: ChatRequest['body']): { type: string | null; effort: string | null } {
  const thinking = body['thinking'];
  const kwargs = body['chat_template_kwargs'];
  const flag = body['enable_thinking'] ?? (isObject(kwargs) ? kwargs['enable_thinking'] : undefined);
  const switched = flag === true ? 'enabled' : 'disabled';
  const fromFlag = typeof flag === 'boolean' ? switched : null;
  const type = isObject(thinking) ? settingText(thinking['type']) : settingText(thinking);
  return { type: type ?? fromFlag, effort: settingText(body['reasoning_effort']) };
}

/** Values of the wrong type are written as JSON, so that they are refused like any unknown value. */
function settingText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : writtenJson(value);
}

function unsupported(param: string, value: string, allowed: readonly string[]): ServiceError {
  const supported =
    allowed.length === 0 ? 'this model does not take it' : `supported values are: ${allowed.join(', ')}`;
  return serviceError(400, `Unsupported value for ${param}: '${value}'; ${supported}.`, param, 'unsupported_value');
}

const reasoningFiller =
  'The request has to be read carefully first. Which form is asked for, and which values does the text state? ' +
  'I compare them one by one, check the sums, and then put the answer together. ';

/** Reasoning of exactly this many tokens. */
export const thinkingText = remembered(1000, (tokens: number) => {
  const text = reasoningFiller.repeat(Math.ceil((tokens * 8) / reasoningFiller.length));
  return tokenize(text).slice(0, tokens).join('');
});

/** Everything that one answer depends on. */
export interface AnswerContext {
  readonly profile: Profile;
  /** The request as the model takes it: without what it ignores. */
  readonly request: ChatRequest;
  /** The body as it was sent. */
  readonly sent: JsonObject;
  /** Differs from request to request. */
  readonly random: ReturnType<typeof seededRandom>;
  /** Decides what is said; the same for the same question at `temperature` 0 or with the same `seed`. */
  readonly words: ReturnType<typeof seededRandom>;
  readonly thinking: Thinking;
  /** Tokens of the prompt that an earlier request began with, too. */
  readonly cachedTokens: number;
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

/**
 * Pieces of words of at most four letters, numbers of at most three digits, single symbols; a leading space belongs to
 * its piece. Joined, the pieces give the text, so that it can be cut after any number of tokens.
 */
const piece = /\s?[\p{L}\p{M}]{1,4}|\s?\p{N}{1,3}|\s?[^\p{L}\p{M}\p{N}\s]|\s+/gu;

/** The tokens of a text, in order; `tokenize(text).join('') === text`. */
export function tokenize(text: string): string[] {
  return text.match(piece) ?? [];
}
