import { itemsOrEmpty } from '../chat/fields.js';
import { isObject, jsonOrUndefined, type Json, writtenJson } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';

/** The marks that tell ways of being odd or wrong apart. */
interface WrittenAnswer {
  readonly outcome: Pick<Outcome, 'class' | 'status' | 'reason' | 'flaw' | 'violations' | 'reply'>;
  readonly body: string;
  readonly contentType: string;
  readonly ending: string;
}

/**
 * A code that two answers share where a client has the same to cope with. Of a refusal that is its status and reason;
 * of an answer the flaw of its value, and which fields of which kind it has, whatever they say.
 */
export function wayOfAnswer({ outcome, body, contentType, ending }: WrittenAnswer): string {
  const { status, reason, flaw, violations } = outcome;
  if (status !== null && status !== 200) return writtenJson(['status', status, reason, ending]);
  const broken = violations.map(({ keyword = '', at }) => `${keyword} ${at === '' ? 'of all' : 'of a member'}`);
  const names = outcome.class === 'wrong_function' ? outcome.reply?.tool_calls.map(({ name }) => name) : undefined;
  const kind = contentType.split(';')[0] ?? '';
  const sorted = [...new Set(broken)].sort();
  return writtenJson(['answer', reason, flaw ?? null, sorted, [...(names ?? [])], kind, ending, fieldsIn(body)]);
}

/** The fields of a body or of all chunks of a stream, each with the kinds of its values. */
function fieldsIn(body: string): Json {
  const whole = jsonOrUndefined(body);
  if (whole !== undefined) return fieldKinds([whole]);
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const chunks = lines.map((line) => (line.startsWith('data:') ? jsonOrUndefined(line.slice(5)) : undefined));
  const others = lines.filter((_, index) => chunks[index] === undefined).map((line) => line.slice(0, 6));
  return [[...new Set(others)].sort(), fieldKinds(chunks.filter((chunk) => chunk !== undefined))];
}

function fieldKinds(values: readonly Json[]): Json {
  const found = new Set<string>();
  const add = (value: Json | undefined, place: string): void => {
    if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) add(member, `${place}/${name}`);
      return;
    }
    found.add(`${place} ${Array.isArray(value) ? `list of ${value.length > 0 ? 'some' : 'none'}` : kindOf(value)}`);
    for (const item of itemsOrEmpty(value)) add(item, place);
  };
  for (const value of values) add(value, '');
  return [...found].sort();
}

function kindOf(value: Json | undefined): string {
  if (value === null) return 'null';
  return value === '' ? 'empty' : typeof value;
}
