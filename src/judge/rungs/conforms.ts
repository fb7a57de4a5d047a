import { isObject, type Json } from '../../json/json.js';
import { isSameJson } from '../../json/merge-patch.js';
import { type Failure, type JudgeContext, type RungCheck } from '../context.js';
import type { Violation } from '../outcome.js';
import { quotedName } from '../json/read-call.js';
import { flawOf, isEncodedTwice, whyNotJson } from '../json/wrapped-json.js';
import type { ToolCall } from '../../chat/reply.js';
import { cutFailure, reachedCap } from './presence.js';

/** Documents and arguments must conform to their schemas. */
export const conforms: RungCheck = (context) => {
  if (context.calls.length > 0) return ofCalls(context);
  if (!wantsDocument(context)) return null;
  const value = context.value;
  if (value === undefined) return null;
  if (context.expectation.content === 'object' && !isObject(value)) {
    return violation([mustBeObject], 'the content', value);
  }
  return conformanceFailure(context, value, context.expectation.schema, 'the content');
};

const mustBeObject: Violation = { at: '', message: 'must be object', keyword: 'type' };

function ofCalls(context: JudgeContext): Failure | null {
  const ownSchema = schemaOfCalls(context);
  for (const read of context.calls) {
    if (read.kind !== 'read') continue;
    const what = `the arguments of ${read.call.name === null ? 'the call' : quotedName(read.call.name)}`;
    if (!isObject(read.value)) return violation([mustBeObject], what, read.value);
    const parameters = read.call.name === null ? null : (context.kind.tools.get(read.call.name)?.parameters ?? null);
    const failure =
      conformanceFailure(context, read.value, parameters, what) ??
      conformanceFailure(context, read.value, ownSchema, what);
    if (failure !== null) return failure;
  }
  return null;
}

/** The schema that the suite gives for a required call; the one of the response_format is for the content. */
function schemaOfCalls(context: JudgeContext): Json | null {
  const { toolCall, schema: expected } = context.expectation;
  if (expected === null || (toolCall.kind !== 'named' && toolCall.kind !== 'any')) return null;
  const forContent = context.kind.schema;
  return forContent !== null && isSameJson(forContent, expected) ? null : expected;
}

function conformanceFailure({ engine }: JudgeContext, value: Json, against: Json | null, what: string): Failure | null {
  if (against === null) return null;
  const result = engine.checkSchema(value, against);
  switch (result.kind) {
    case 'conforms':
      return null;
    case 'violates':
      return violation(result.violations, what, value);
    case 'unusable':
      // A value that chatspec cannot check says nothing about the model, and no class stands for it.
      return { class: null, fault: true, rung: 'parses', detail: `${what} could not be checked: ${result.error}` };
  }
}

/**
 * Whether the value's own type is refused; a string may also break a pattern, and then its content is no explanation.
 */
function wantsNoString(violations: readonly Violation[]): boolean {
  return violations.some(({ at, keyword }) => at === '' && keyword === 'type');
}

function encodedTwice(what: string): string {
  const [is, was] = what === 'the content' ? ['is', 'was'] : ['are', 'were'];
  const it = what === 'the content' ? 'it' : 'they';
  return `${what} ${is} a JSON string that contains JSON: ${it} ${was} encoded twice`;
}

function violation(violations: readonly Violation[], what: string, value: Json): Failure {
  if (typeof value === 'string' && wantsNoString(violations) && isEncodedTwice(value)) {
    return { class: 'schema_violation', rung: 'parses', violations, flaw: 'encoded_twice', detail: encodedTwice(what) };
  }
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const where = first === undefined || first.at === '' ? '' : ` ${first.at}`;
  const detail = `${what}${where} ${first?.message ?? 'does not conform'}${more}`;
  const flaw = first?.keyword;
  return { class: 'schema_violation', rung: 'parses', violations, detail, ...(flaw !== undefined && { flaw }) };
}

/** Arguments, and content that should be JSON, must parse as they stand. */
export const parses: RungCheck = (context) => {
  for (const read of context.calls) {
    if (read.kind !== 'unreadable') continue;
    return read.flaw === 'cut' && reachedCap(context)
      ? truncatedFailure(context)
      : notJsonFailure(read.flaw, `${quotedCallName(read.call)}: ${read.why(context.reply.streamed)}`);
  }
  if (context.calls.length > 0 || !wantsDocument(context)) return null;
  const read = context.document;
  if (read.kind === 'json') return null;
  return read.kind === 'cut' && reachedCap(context)
    ? truncatedFailure(context)
    : notJsonFailure(flawOf(read), `the content is ${whyNotJson(read, context.reply.streamed)}`);
};

function quotedCallName({ name }: ToolCall): string {
  return name === null ? 'call' : quotedName(name);
}

function wantsDocument({ expectation }: JudgeContext): boolean {
  return expectation.content === 'json' || expectation.content === 'object';
}

function notJsonFailure(flaw: string, detail: string): Failure {
  return { class: 'not_json', rung: 'present', flaw, detail };
}

/** A document that breaks off at the output cap was cut by it, whatever the finish_reason says. */
function truncatedFailure(context: JudgeContext): Failure {
  return cutFailure(context, `finish_reason is ${context.reply.finish_reason ?? 'missing'}`);
}
