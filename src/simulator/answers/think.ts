import { isObject, type Json } from '../../json/json.js';
import type { ThinkingTraits } from '../profiles/profile.js';
import type { ChatRequest } from '../http/request.js';
import { serviceError, type ServiceError } from '../http/service-error.js';
import { cutTokens } from './tokens.js';

/** Whether and how long the model thinks about a request. */
export interface Thought {
  /** Output tokens; 0: it does not think. */
  readonly tokens: number;
}

/** What a model makes of the request's thinking settings; values that it does not know are refused. */
export function think(request: ChatRequest, traits: ThinkingTraits): Thought | ServiceError {
  const { type, effort } = settingsOf(request.body);
  if (type !== null && !traits.types.includes(type)) return refused('thinking.type', type, traits.types);
  if (effort !== null && !traits.efforts.includes(effort)) return refused('reasoning_effort', effort, traits.efforts);
  if (!isOn(type, effort, traits)) return { tokens: 0 };
  if (traits.format_tokens !== null && request.responseFormat.kind !== 'text') return { tokens: traits.format_tokens };
  const named = effort === null || !traits.obeys ? undefined : traits.tokens[effort];
  return { tokens: named ?? traits.tokens['default'] ?? 0 };
}

function isOn(type: string | null, effort: string | null, traits: ThinkingTraits): boolean {
  const byDefault = traits.default === 'on';
  if (!traits.obeys) return byDefault;
  if (type !== null) return type !== 'disabled';
  return effort === null ? byDefault : effort !== 'none';
}

/** `thinking.type`, or what says the same in other words, and `reasoning_effort`. */
function settingsOf(body: ChatRequest['body']): { type: string | null; effort: string | null } {
  const thinking = body['thinking'];
  const kwargs = body['chat_template_kwargs'];
  const flag = body['enable_thinking'] ?? (isObject(kwargs) ? kwargs['enable_thinking'] : undefined);
  const fromFlag = typeof flag === 'boolean' ? (flag ? 'enabled' : 'disabled') : null;
  const type = isObject(thinking) ? textOr(thinking['type']) : textOr(thinking);
  return { type: type ?? fromFlag, effort: textOr(body['reasoning_effort']) };
}

/** A value of the wrong type is named as it stands, so that it is refused like any unknown value. */
function textOr(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function refused(param: string, value: string, allowed: readonly string[]): ServiceError {
  const supported =
    allowed.length === 0 ? 'this model does not take it' : `supported values are: ${allowed.join(', ')}`;
  return serviceError(400, `Unsupported value for ${param}: '${value}'; ${supported}.`, param, 'unsupported_value');
}

const musing =
  'The request has to be read carefully first. Which form is asked for, and which values does the text state? ' +
  'I compare them one by one, check the sums, and then put the answer together. ';

/** A thought of exactly this many tokens. */
export function thoughtText(tokens: number): string {
  let text = musing;
  while (text.length < tokens * 8) text += text;
  return cutTokens(text, tokens);
}
