import type { Json } from '../json/json.js';
import { jsonText } from '../json/json-text.js';
import type { Reply, ToolCall } from './reply.js';

/**
 * Bytes of text that count as a token. Services count a token for four to five bytes of English, and for fewer of any
 * other language or of JSON.
 */
const bytesPerToken = 4;

/** Tokens of a request body, without the media that it carries: those are not counted by their bytes. */
export function promptTokensIn(body: Json): number {
  return Math.ceil(mostPromptTokensIn(body) / bytesPerToken);
}

/** The most tokens that the text of a request body can be: no tokenizer makes more of them than there are bytes. */
export function mostPromptTokensIn(body: Json): number {
  const text = jsonText(body);
  // Most bodies hold none, and to look at each of their members takes several times as long.
  return Buffer.byteLength(mayHoldMedia.test(text) ? JSON.stringify(body, withoutMedia) : text);
}

const mayHoldMedia = /"data:|"(?:file_)?data":|"b64_json":/;

const mediaNames: ReadonlySet<string> = new Set(['data', 'file_data', 'b64_json']);

function withoutMedia(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.startsWith('data:') || mediaNames.has(name) ? '' : value;
}

/**
 * Tokens of the text that arrived: content, reasoning and tool arguments. A reply holds one choice of several, which count
 * as much. White space is written many characters a token.
 */
export function writtenTokensIn({ content, reasoning, refusal, tool_calls, choices }: Reply): number {
  const text = [reasoning, content, refusal, ...tool_calls.map(textOfCall)].filter(Boolean).join(' ');
  return choices * Math.ceil(Buffer.byteLength(text.replace(/\s{2,}/g, ' ')) / bytesPerToken);
}

function textOfCall({ name, arguments: args }: ToolCall): string {
  return `${name ?? ''} ${typeof args === 'string' ? args : JSON.stringify(args ?? '')}`;
}
