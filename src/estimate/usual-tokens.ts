import type { Json, JsonObject } from '../json/json.js';
import type { Ticket } from '../plan/ticket.js';

/**
 * Output tokens of a usual answer to the built-in probes. Caps are far above it, so that no answer is cut; a model that
 * reasons takes more.
 */
export const usualOutputTokens = 100;

/** The same of a plain text: their prompts ask for a sentence or two. */
const usualTextTokens = 40;

/** Bytes of JSON a token: more of it are single characters than in a text. */
const bytesOfJson = 2.5;
const bytesOfText = 4;

const bytesIn = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** Tokens of what a model reads: messages and tools, with the values of the first sample. */
export function promptTokens({ probe }: Ticket['cell'], body: JsonObject): number {
  const { messages = [], tools = null } = body;
  const values: JsonObject = { ...probe.vars, ...probe.samples[0] };
  const read = JSON.stringify([messages, tools]).replace(/\{\{\s*(\w+)\s*\}\}/g, (template, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' ? value : template;
  });
  return Math.ceil(Buffer.byteLength(read) / bytesOfText);
}

/** Tokens of the whole body, for a service that counts schemas, too. */
export const bodyTokens = (body: JsonObject): number => Math.ceil(bytesIn(body) / bytesOfText);

/** What an answer to this body usually takes; never more than its cap. */
export function answerTokens({ probe }: Ticket['cell'], body: JsonObject, cap: number): number {
  const { enforce } = probe;
  const isPlain = body['response_format'] === undefined && body['tools'] === undefined;
  const usual =
    enforce !== null ? Math.ceil(bytesIn(enforce.valid) / bytesOfJson) : isPlain ? usualTextTokens : usualOutputTokens;
  return Math.min(cap, usual);
}
