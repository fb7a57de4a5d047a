import type { Json, JsonObject } from '../json/json.js';
import { jsonText } from '../json/json-text.js';
import { bodyForm } from './body-form.js';
import { type Answer, isSuccess } from './exchange.js';
import { listOf, objectOf, own } from './fields.js';
import { parseJson } from './parse-json.js';
import type { Reply, ToolCall } from './reply.js';

/**
 * Bytes of text that count as a token. Services count a token for four to five bytes of English, and for fewer of any
 * other language or of JSON.
 */
const bytesPerToken = 4;

/** Tokens of a request body, without the media that it carries: those are not counted by their bytes. */
export function promptTokensIn(body: Json): number {
  return Math.ceil(textBytesIn(body) / bytesPerToken);
}

/** The most tokens that the text of a request body can be: no tokenizer makes more of them than there are bytes. */
export function mostPromptTokensIn(body: Json): number {
  return textBytesIn(body);
}

function textBytesIn(body: Json): number {
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
 * Tokens of the text that arrived: content, reasoning and tool arguments of every choice. 0 for a refusal and a page.
 * @param reply what was read of the answer, whole or in part
 */
export function writtenTokensIn(answer: Answer, reply: Reply | null): number {
  if (!isSuccess(answer.status)) return 0;
  if (reply !== null && reply.choices <= 1) return tokensOf(textOfReply(reply));
  return tokensOf(textOfBody(answer.body.join('')));
}

/** White space is written many characters a token. */
function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text.replace(/\s{2,}/g, ' ')) / bytesPerToken);
}

function textOfReply({ content, reasoning, refusal, tool_calls }: Reply): string {
  return [reasoning, content, refusal, ...tool_calls.map(textOfCall)].filter(Boolean).join(' ');
}

function textOfCall({ name, arguments: args }: ToolCall): string {
  return `${name ?? ''} ${typeof args === 'string' ? args : JSON.stringify(args ?? '')}`;
}

/** The texts of all choices; of a body that cannot be read, all of it. */
function textOfBody(text: string): string {
  const form = bodyForm(text);
  switch (form.kind) {
    case 'empty':
    case 'html':
      return '';
    case 'json':
      return textOfChoices(form.value);
    case 'events':
      return text
        .split(/\r\n|\n|\r/)
        .map((line) => {
          const data = /^data:(.*)$/.exec(line)?.[1] ?? '';
          const parsed = parseJson(data);
          return parsed.ok ? textOfChoices(parsed.value) : data;
        })
        .join('');
    case 'other':
      return text;
  }
}

function textOfChoices(document: Json): string {
  const choices = listOf(own(objectOf(document) ?? {}, 'choices'));
  return choices.map((choice) => textOfMessage(objectOf(choice) ?? {})).join('');
}

/** Members of a message that no model writes. */
const framing: ReadonlySet<string> = new Set(['role', 'type', 'id']);

function textOfMessage(choice: JsonObject): string {
  const message = own(choice, 'message') ?? own(choice, 'delta');
  const texts: string[] = [];
  const collect = (value: Json | undefined): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item);
    else for (const [name, member] of Object.entries(objectOf(value) ?? {})) if (!framing.has(name)) collect(member);
  };
  collect(message);
  return texts.join('');
}
