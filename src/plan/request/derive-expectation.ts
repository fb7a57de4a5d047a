import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Expectation, ExpectSpec } from '../../judge/expectation.js';
import { askStep, firstAsk } from './assemble-body.js';
import type { Ask, Cell, Ticket } from '../ticket.js';
import { echoName } from './echo-request.js';
import { isSubset } from '../cells/cell-points.js';
import { renderTemplates } from './template.js';

/**
 * What passes. It is derived from the body as sent, overridden by the suite's `expect` and then by every `when` that
 * matches the cell's labels, in order. In a flow a `when` applies to each step. Templates are filled from `values`;
 * throws a {@link TemplateError} for one that cannot be filled.
 */
export function expectationOf(
  { cell }: Ticket,
  _ask: Ask,
  stepId: string,
  body: Json,
  values: JsonObject,
): Expectation {
  const spec = renderTemplates(specOf(cell, stepId) as Json, values) as ExpectSpec;
  const derived = derive(isObject(body) ? withOwnNames(body, cell.model.rename) : {});
  return explicit(cell.probe.enforce === null ? derived : echoed(derived, cell), spec);
}

function specOf({ probe, point }: Cell, stepId: string): ExpectSpec {
  const step = probe.enforce === null ? askStep(probe, stepId) : firstAsk(probe);
  const applicable = probe.when.filter((when) => isSubset(when.point, point)).map((when) => when.expect);
  return [step?.expect ?? {}, ...applicable].reduce<ExpectSpec>(merged, {});
}

/** Member by member: `rejected` is merged, and anything else (a schema, a list) is replaced whole. */
function merged(under: ExpectSpec, over: ExpectSpec): ExpectSpec {
  const rejected = { ...under.rejected, ...over.rejected };
  const both = { ...under, ...over };
  return Object.keys(rejected).length === 0 ? both : { ...both, rejected };
}

type Derived = Pick<Expectation, 'toolCall' | 'content' | 'schema'>;

function derive(body: JsonObject): Derived {
  return { toolCall: derivedCall(body), ...derivedContent(body['response_format']) };
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

/** The schema is checked even if the request does not contain it, to show whether the model would break it. */
function echoed(derived: Derived, { probe, point }: Cell): Derived {
  if (point['channel'] === 'tools') return { ...derived, toolCall: { kind: 'named', name: echoName } };
  return { ...derived, content: 'json', schema: probe.enforce?.schema ?? null };
}

function explicit(derived: Derived, spec: ExpectSpec): Expectation {
  return {
    toolCall: spec.tool_call === undefined ? derived.toolCall : explicitCall(spec.tool_call),
    ...explicitContent(derived, spec),
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

/** The body under the specification's names, where the model has its own. */
function withOwnNames(body: JsonObject, rename: Readonly<Record<string, string>>): JsonObject {
  const own = new Map(Object.entries(rename).map(([name, renamedTo]) => [renamedTo, name]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [own.get(name) ?? name, value]));
}
