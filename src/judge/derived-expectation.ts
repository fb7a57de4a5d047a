import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Expectation, ExpectSpec } from './expectation.js';

/** What follows from a request alone. */
export type Derived = Pick<Expectation, 'toolCall' | 'content' | 'schema'>;

/** What a request leads to expect: the form that it asks for, and the calls that its tools allow. */
export function derive(body: JsonObject): Derived {
  const { content, schema } = derivedContent(body['response_format']);
  return { toolCall: derivedCall(body), content, schema };
}

function derivedContent(format: Json | undefined): Pick<Derived, 'content' | 'schema'> {
  if (!isObject(format)) return { content: 'text', schema: null };
  if (format['type'] === 'json_object') return { content: 'object', schema: null };
  if (format['type'] !== 'json_schema') return { content: 'text', schema: null };
  const wrapper = format['json_schema'];
  return { content: 'json', schema: isObject(wrapper) ? (wrapper['schema'] ?? null) : null };
}

function derivedCall({ tools, tool_choice: choice }: JsonObject): Expectation['toolCall'] {
  if (!Array.isArray(tools) || tools.length === 0) return { kind: 'none' };
  if (choice === 'none') return { kind: 'none' };
  if (choice === 'required') return { kind: 'any' };
  if (!isObject(choice)) return { kind: 'optional' };
  const chosen = choice['function'];
  const name = isObject(chosen) ? chosen['name'] : undefined;
  return typeof name === 'string' ? { kind: 'named', name } : { kind: 'any' };
}

/** A complete expectation: what a suite or a program says goes before what follows from the request. */
export function explicit(derived: Derived, spec: ExpectSpec): Expectation {
  const { content, schema } = explicitContent(derived, spec);
  return {
    toolCall: spec.tool_call === undefined ? derived.toolCall : explicitCall(spec.tool_call),
    content,
    schema,
    finishReasons: spec.finish_reason ?? null,
    rejected:
      spec.rejected === undefined
        ? null
        : {
            status: spec.rejected.status ?? null,
            reason: spec.rejected.reason ?? null,
            only: spec.rejected.only ?? false,
          },
    outcome: spec.outcome ?? null,
    rules: spec.rules ?? [],
    reasoning: spec.reasoning ?? null,
    ...(spec.skip !== undefined && { skip: spec.skip }),
  };
}

function explicitCall(call: string | boolean): Expectation['toolCall'] {
  if (typeof call === 'boolean') return { kind: call ? 'any' : 'none' };
  return call === 'optional' ? { kind: 'optional' } : { kind: 'named', name: call };
}

/** A schema alone implies JSON content; a derived schema does not apply to `text` or `any`. */
function explicitContent(derived: Derived, spec: ExpectSpec): Pick<Expectation, 'content' | 'schema'> {
  const content = spec.content ?? (spec.schema !== undefined && derived.content === 'text' ? 'json' : derived.content);
  const inherited = content === 'text' || content === 'any' ? null : derived.schema;
  return { content, schema: spec.schema ?? inherited };
}
