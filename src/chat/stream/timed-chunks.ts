import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { itemsOrEmpty, objectOf, own } from '../fields.js';
import type { Exchange } from '../exchange.js';
import { parseJson } from '../parse-json.js';
import { streamEvents } from './read-stream.js';

/** A chunk of a stream, parsed, and when it came. */
export interface TimedChunk {
  /** A chunk that is no JSON object stands under `data`. */
  readonly chunk: JsonObject;
  /** Milliseconds since the request began; null where nobody knows. */
  readonly at_ms: number | null;
}

/** The chunks of a stream in their order, without `[DONE]`. */
export function timedChunks({ answer, timing }: Pick<Exchange, 'answer' | 'timing'>): readonly TimedChunk[] {
  const { body } = answer;
  const pieces = [(body[0] ?? '').replace(/^\uFEFF/, ''), ...body.slice(1)];
  return streamEvents(pieces, () => undefined)
    .filter(({ data }) => data.trim() !== '[DONE]' && data.trim() !== '')
    .map(({ data, piece }) => {
      const parsed = parseJson(data);
      const value: Json = parsed.ok ? parsed.value : data;
      return { chunk: isObject(value) ? value : { data: value }, at_ms: timing.pieces_ms?.[piece] ?? null };
    });
}

/** Whether a chunk carries text, reasoning or a part of a call. */
export function carriesContent({ choices }: JsonObject): boolean {
  return itemsOrEmpty(choices).some((item) => {
    const choice = objectOf(item) ?? {};
    const delta = objectOf(own(choice, 'delta')) ?? objectOf(own(choice, 'message')) ?? {};
    return Object.entries(delta).some(([name, value]) => name !== 'role' && isFilled(value));
  });
}

function isFilled(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== '';
}

/** When the content of a stream came: null where it has none, or nobody knows. */
export interface ContentTimes {
  readonly first: number | null;
  readonly last: number | null;
  /** Chunks that carry content. */
  readonly count: number;
}

export function contentTimes(chunks: readonly TimedChunk[]): ContentTimes {
  const content = chunks.filter(({ chunk }) => carriesContent(chunk));
  return { first: content[0]?.at_ms ?? null, last: content.at(-1)?.at_ms ?? null, count: content.length };
}

/** Milliseconds until the first content of a stream; null where nobody knows. */
export function firstContentMs(exchange: Pick<Exchange, 'answer' | 'timing'>): number | null {
  return exchange.timing.pieces_ms === undefined ? null : contentTimes(timedChunks(exchange)).first;
}
