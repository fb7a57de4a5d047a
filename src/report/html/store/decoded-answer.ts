import { parseJson } from '../../../chat/parse-json.js';
import type { Reply } from '../../../chat/reply.js';
import { isObject, type Json } from '../../../json/json.js';
import { at, pointerSteps } from '../../../json/pointer.js';
import type { CellFailure } from '../../../matrix/report-format.js';
import type { Redact } from '../../safe/redact.js';
import { redactForeign } from '../../safe/redact-values.js';

/** What a client reads out of an answer, and where it violates its schema. */
export interface DecodedAnswer {
  /** "content", or "arguments of create_order" */
  readonly of: string;
  readonly text: string;
  /** Lines of the text, from 0. */
  readonly marks: readonly { readonly line: number; readonly message: string }[];
}

/** The arguments of the first call, else the content; null where the answer has neither. Redacted. */
export function decodedAnswer(
  reply: Reply | null,
  violations: CellFailure['violations'],
  redact: Redact,
): DecodedAnswer | null {
  const [call] = reply?.tool_calls ?? [];
  const raw = call === undefined ? reply?.content : call.arguments;
  if (raw === undefined || raw === null) return null;
  const of = call === undefined ? 'content' : `arguments of ${redact(call.name ?? 'a function without a name')}`;
  // To throw an error for every answer in prose takes longer than everything else here.
  if (typeof raw === 'string' && !beginsAsJson.test(raw)) return { of, text: redact(raw), marks: [] };
  const parsed = typeof raw === 'string' ? parseJson(raw) : ({ ok: true, value: raw } as const);
  if (!parsed.ok) return { of, text: redact(typeof raw === 'string' ? raw : ''), marks: [] };
  const value = parsed.value;
  const text = JSON.stringify(redactForeign(value, redact), null, 2);
  // Masking may make two names one, and then lines are missing.
  if (linesOf(text) !== linesOf(JSON.stringify(value, null, 2))) return { of, text, marks: [] };
  return {
    of,
    text,
    marks: violations.flatMap(({ at: place, message }) => {
      const steps = stepsOf(place);
      return steps === null ? [] : [{ line: lineOf(value, steps), message: redact(message) }];
    }),
  };
}

const beginsAsJson = /^[ \t\n\r]*[[{"tfn\d-]/;

const linesOf = (text: string): number => text.split('\n').length;

/** null for the id of a rule. */
function stepsOf(place: string): readonly string[] | null {
  try {
    return pointerSteps(place);
  } catch {
    return null;
  }
}

/** The line on which the value at the steps begins; where it is missing, that of what should hold it. */
export function lineOf(value: Json, steps: readonly string[]): number {
  let line = 0;
  let here = value;
  for (const step of steps) {
    const next = at(here, [step]);
    if (next === undefined) return line;
    line += 1;
    const before = Array.isArray(here)
      ? (here as readonly Json[]).slice(0, Number(step))
      : isObject(here)
        ? Object.values(here).slice(0, Object.keys(here).indexOf(step))
        : [];
    for (const member of before) line += linesOf(JSON.stringify(member, null, 2));
    here = next;
  }
  return line;
}

/** The schemas that a request constrains its answer with, by name. */
export function schemasIn(body: Json): readonly { readonly name: string; readonly schema: Json }[] {
  const tools = at(body, ['tools']);
  const functions = Array.isArray(tools) ? (tools as readonly Json[]).map((tool) => at(tool, ['function'])) : [];
  const holders = [
    { holder: at(body, ['response_format', 'json_schema']), member: 'schema' },
    ...functions.map((holder) => ({ holder, member: 'parameters' })),
  ];
  return holders.flatMap(({ holder, member }) => {
    const schema = isObject(holder) ? holder[member] : undefined;
    return !isObject(holder) || schema === undefined
      ? []
      : [{ name: typeof holder['name'] === 'string' ? holder['name'] : '', schema }];
  });
}
