import { hash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { jsonText } from '../../json/json-text.js';
import { withValueAt } from '../../json/pointer.js';
import type { ExchangeRecord, JournalLine } from '../event.js';
import type { Answer, Exchange } from '../../chat/exchange.js';
import type { Definition } from './stored-parts.js';

/** Writes the lines of one file, in their order. */
export interface LineWriter {
  /** The text of an event, with its line break, and before it the definitions to which it refers. */
  readonly textOf: (line: JournalLine) => string;
}

/** Characters of a part of which a reference saves something, and of one that is worth comparing with others. */
const least = 64;
const most = { request: 1_000_000, answer: 64_000 };

/** Characters of definitions until all are forgotten, and of parts that occurred once: what readers and writer keep. */
const room = { defined: 8_000_000, once: 2_000_000 };

/**
 * A part that occurs for the second time is defined, so what never repeats, such as the answers of most services, stands in
 * its line. Parts are recognized by their JSON text: Map hashes it faster than any digest, which only a definition needs.
 */
export function lineWriter(): LineWriter {
  /** null: it occurred once. */
  const known = new Map<string, string | null>();
  let length = { defined: 0, once: 0 };
  let anew = false;
  let text = '';

  const remember = (part: string): null => {
    if (length.once + part.length > room.once) {
      for (const [one, id] of known) if (id === null) known.delete(one);
      length.once = 0;
    }
    known.set(part, null);
    length.once += part.length;
    return null;
  };

  const define = (part: string, holed: Holed): string => {
    const id = hash('sha256', part, 'base64url').slice(0, 22);
    known.set(part, id);
    length.defined += part.length;
    const line: Definition = { type: 'defined', id, ...valueOf(holed), ...(anew && { anew }) };
    anew = false;
    text += `${JSON.stringify(line)}\n`;
    return id;
  };

  /** The id of a part, or null for one that stands in the line. */
  const idOf = (value: Json, part: string, longest: number, holes: (value: Json) => Holed = whole): string | null => {
    if (part.length < least || part.length > longest) return null;
    const found = known.get(part);
    if (found === undefined) return remember(part);
    return found ?? define(part, holes(value));
  };
  /** Of a part of a request, which the trials of a cell share. */
  const idOfAsked = (value: Json, holes?: (value: Json) => Holed): string | null =>
    idOf(value, jsonText(value), most.request, holes);
  /** Of a part of an answer, which nobody asks for again: to remember its text would take longer than to make it. */
  const idOfHeaders = (headers: Answer['headers']): string | null =>
    idOf(headers, JSON.stringify(headers), most.answer);
  const idOfBody = (body: Answer['body']): string | null => {
    const [only] = body;
    // No JSON text of an object or a list begins like this, and it takes a tenth of the time.
    if (body.length === 1 && only !== undefined) return idOf(body, `"${only}`, most.answer);
    const isLong = body.reduce((sum, piece) => sum + piece.length, 0) > most.answer;
    return isLong ? null : idOf(body, JSON.stringify(body), most.answer);
  };

  const withoutSchemas = (body: Json): Holed => {
    let holed = whole(body);
    for (const [steps, schema] of schemasIn(body)) {
      holed = withHole(holed, steps, idOfAsked(schema));
    }
    return holed;
  };
  const withoutParts = (request: Json): Holed => {
    const { headers = null, body = null } = request as JsonObject;
    const holed = withHole(whole(request), ['headers'], idOfAsked(headers));
    const id = idOfAsked(body, withoutSchemas);
    if (id !== null) return withHole(holed, ['body'], id);
    const inner = withoutSchemas(body);
    return {
      value: withValueAt(holed.value, ['body'], inner.value),
      stored: [...holed.stored, ...inner.stored.map(([pointer, of]) => [`/body${pointer}`, of] as const)],
    };
  };

  const exchangeLine = (line: ExchangeRecord): unknown => {
    const { request, answer } = line.exchange;
    const stored: Record<string, string> = {};
    const asked = idOfAsked(request, withoutParts);
    const sent = asked === null ? withoutParts(request) : null;
    if (asked !== null) stored['/request'] = asked;
    for (const [pointer, id] of sent?.stored ?? []) stored[`/request${pointer}`] = id;
    const headers = idOfHeaders(answer.headers);
    if (headers !== null) stored['/answer/headers'] = headers;
    const body = idOfBody(answer.body);
    if (body !== null) stored['/answer/body'] = body;
    if (Object.keys(stored).length === 0) return line;
    // Member by member, since spreading takes several times as long; a member that is undefined is not written.
    return {
      type: line.type,
      id: line.id,
      model: line.model,
      cell: line.cell,
      ask: line.ask,
      purpose: line.purpose,
      step: line.step,
      attempt: line.attempt,
      served: line.served,
      fingerprint: line.fingerprint,
      exchange: {
        request: sent === null ? null : sent.value,
        answer: {
          status: answer.status,
          headers: headers === null ? answer.headers : null,
          body: body === null ? answer.body : null,
          failure: answer.failure,
        } satisfies Record<keyof Answer, unknown>,
        timing: line.exchange.timing,
        around: line.exchange.around,
      } satisfies Record<keyof Exchange, unknown>,
      stored,
    } satisfies Record<keyof ExchangeRecord | 'stored', unknown>;
  };

  return {
    textOf(line) {
      if (length.defined > room.defined) {
        known.clear();
        length = { defined: 0, once: 0 };
        anew = true;
      }
      text = '';
      const written = line.type === 'exchange' ? exchangeLine(line) : line;
      return `${text}${JSON.stringify(written)}\n`;
    },
  };
}

/** A value with null where parts of it were taken out, and what belongs there. */
interface Holed {
  readonly value: Json;
  readonly stored: readonly (readonly [pointer: string, id: string])[];
}

const whole = (value: Json): Holed => ({ value, stored: [] });

function valueOf({ value, stored }: Holed): Pick<Definition, 'value' | 'stored'> {
  return stored.length === 0 ? { value } : { value, stored: Object.fromEntries(stored) };
}

function withHole(holed: Holed, steps: readonly string[], id: string | null): Holed {
  if (id === null) return holed;
  return {
    value: withValueAt(holed.value, steps, null),
    stored: [...holed.stored, [steps.map((step) => `/${step}`).join(''), id]],
  };
}

/** The schemas of a request body, which many cells share. */
function* schemasIn(body: Json): Generator<readonly [steps: readonly string[], schema: JsonObject]> {
  const member = (value: Json | undefined, name: string): Json | undefined =>
    isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const answer = member(member(member(body, 'response_format'), 'json_schema'), 'schema');
  if (isObject(answer)) yield [['response_format', 'json_schema', 'schema'], answer];
  const tools = member(body, 'tools');
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of (tools as readonly Json[]).entries()) {
    const parameters = member(member(tool, 'function'), 'parameters');
    if (isObject(parameters)) yield [['tools', String(index), 'function', 'parameters'], parameters];
  }
}
