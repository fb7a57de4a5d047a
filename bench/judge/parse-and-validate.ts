import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Recorded } from './recorded.js';

interface Call {
  readonly function?: { readonly name?: string; readonly arguments?: string };
}
interface Message {
  readonly content?: string | null;
  readonly tool_calls?: readonly (Call & { readonly index?: number })[];
}
interface Body {
  readonly choices?: readonly { readonly message?: Message; readonly delta?: Message }[];
  readonly error?: unknown;
}

/**
 * The least that any client does with such an answer: JSON.parse of the body, or of each event of a stream, whose pieces
 * are joined; JSON.parse of the content where JSON is wanted, and of the arguments of each call; and what Ajv compiled of
 * their schemas. Gives whether the answer can be used.
 */
export function parserOf({ status, body, request, expectation }: Recorded): () => boolean {
  const ok = status >= 200 && status < 300;
  const schema = ok ? compiled(expectation.schema) : null;
  const tools = new Map(ok ? toolsIn(request).map(({ name, parameters }) => [name, compiled(parameters)]) : []);
  const wantsJson = expectation.content === 'json' || expectation.content === 'object';
  const read = body.trimStart().startsWith('data:') ? streamed : plain;
  return () => {
    try {
      const { content, tool_calls: calls } = read(body);
      if (calls !== undefined && calls.length > 0) return calls.every((call) => isUsable(call, tools));
      if (!wantsJson) return typeof content === 'string';
      const value: unknown = JSON.parse(content ?? '');
      return schema === null || schema(value);
    } catch {
      return false;
    }
  };
}

function isUsable({ function: called }: Call, tools: ReadonlyMap<string, ValidateFunction | null>): boolean {
  const validate = tools.get(called?.name ?? '');
  const value: unknown = JSON.parse(called?.arguments ?? '');
  return validate === undefined ? false : validate === null || validate(value);
}

function plain(body: string): Message {
  return (JSON.parse(body) as Body).choices?.[0]?.message ?? {};
}

function streamed(body: string): Message {
  let content = '';
  const calls: { function: { name: string; arguments: string } }[] = [];
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
    const delta = (JSON.parse(line.slice(6)) as Body).choices?.[0]?.delta;
    if (typeof delta?.content === 'string') content += delta.content;
    for (const { index = 0, function: piece } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= { function: { name: '', arguments: '' } });
      call.function.name += piece?.name ?? '';
      call.function.arguments += piece?.arguments ?? '';
    }
  }
  return { content, tool_calls: calls };
}

const ajv = new Ajv2020({ strict: false });

/** null: there is none, or something that is no schema. */
function compiled(schema: unknown): ValidateFunction | null {
  return typeof schema === 'object' && schema !== null ? ajv.compile(schema) : null;
}

function toolsIn(request: unknown): readonly { readonly name: string; readonly parameters?: unknown }[] {
  const { tools = [] } = request as { readonly tools?: readonly { readonly function: { readonly name: string } }[] };
  return tools.map(({ function: declared }) => declared);
}
