import { itemsOrEmpty, objectOf, own } from '../../chat/fields.js';
import { isObject, objectsIn, type Json, type JsonObject } from '../../json/json.js';
import { loggedText } from './recorded-pair.js';

/** A span or a log record of OpenTelemetry, with its attributes by their dotted names. */
export interface TelemetryRecord {
  readonly id: string | null;
  readonly attributes: JsonObject;
  readonly events: readonly { readonly name: string; readonly attributes: JsonObject }[];
  /** The message of its status; empty: there is none. */
  readonly statusText: string;
}

/**
 * The spans and log records in one line of an exporter: OTLP/JSON, a single span, or bare attributes. null where
 * nothing is named as OpenTelemetry does.
 */
export function telemetryIn(record: JsonObject): readonly TelemetryRecord[] | null {
  const exported = [
    ...nested(record, ['resourceSpans', 'resource_spans'], ['scopeSpans', 'scope_spans'], 'spans'),
    ...nested(record, ['resourceLogs', 'resource_logs'], ['scopeLogs', 'scope_logs'], 'logRecords'),
  ];
  if (isExport(record)) return exported.map(telemetryRecord);
  if (own(record, 'attributes') !== undefined) {
    const alone = telemetryRecord(record);
    return hasGenAi(alone) ? [alone] : null;
  }
  const bare = telemetryRecord({ attributes: record });
  return hasGenAi(bare) ? [bare] : null;
}

const exportNames = ['resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs'];
const isExport = (record: JsonObject): boolean => exportNames.some((name) => Array.isArray(own(record, name)));

function hasGenAi({ attributes, events }: TelemetryRecord): boolean {
  return [attributes, ...events.map((event) => event.attributes)].some((one) =>
    Object.keys(one).some((name) => name.startsWith('gen_ai.')),
  );
}

function nested(
  record: JsonObject,
  outer: readonly string[],
  inner: readonly string[],
  last: string,
): readonly JsonObject[] {
  const within = (holders: readonly JsonObject[], names: readonly string[]): readonly JsonObject[] =>
    holders.flatMap((holder) => names.flatMap((name) => objectsIn(own(holder, name))));
  return within(within(within([record], outer), inner), [last]);
}

function telemetryRecord(record: JsonObject): TelemetryRecord {
  const context = objectOf(own(record, 'context')) ?? {};
  const id = [own(record, 'spanId'), own(record, 'span_id'), own(context, 'span_id')].find(
    (one) => typeof one === 'string',
  );
  const status = objectOf(own(record, 'status')) ?? {};
  const text = own(status, 'message') ?? own(status, 'description');
  return {
    id: id ?? null,
    attributes: attributesIn(own(record, 'attributes')),
    events: objectsIn(own(record, 'events')).map(eventIn),
    statusText: typeof text === 'string' ? text : '',
  };
}

function eventIn(event: JsonObject): TelemetryRecord['events'][number] {
  const name = own(event, 'name');
  const attributes = { ...attributesIn(own(event, 'body')), ...attributesIn(own(event, 'attributes')) };
  return { name: typeof name === 'string' ? name : '', attributes };
}

/** Attributes as OTLP lists them, as a plain object, or nested by the parts of their names. */
function attributesIn(given: Json | undefined): JsonObject {
  if (Array.isArray(given)) return keyedValues(given);
  const plain = objectOf(given) ?? {};
  return Object.fromEntries(Object.entries(plain).flatMap(([name, value]) => dotted(name, value)));
}

/** Only what is named after a namespace of the conventions is nested; other objects are values. */
function dotted(name: string, value: Json): readonly (readonly [string, Json])[] {
  if (!isObject(value) || !/^(?:gen_ai|error|http)(?:\.[a-z_]+)*$/.test(name)) return [[name, value]];
  return Object.entries(value).flatMap(([part, inner]) => dotted(`${name}.${part}`, inner));
}

function otlpValue(given: Json | undefined): Json {
  const value = objectOf(given);
  if (value === null) return given ?? null;
  const plain = own(value, 'stringValue') ?? own(value, 'boolValue') ?? own(value, 'doubleValue');
  if (plain !== undefined) return plain;
  const whole = own(value, 'intValue');
  // OTLP/JSON writes 64 bits as text.
  if (whole !== undefined) return typeof whole === 'string' ? Number(whole) : whole;
  const list = objectOf(own(value, 'arrayValue'));
  if (list !== null) return itemsOrEmpty(own(list, 'values')).map(otlpValue);
  const map = objectOf(own(value, 'kvlistValue'));
  return map === null ? null : keyedValues(own(map, 'values'));
}

/** `[{ key, value }]` as an object. */
function keyedValues(list: unknown): JsonObject {
  return Object.fromEntries(objectsIn(list).map((one) => [loggedText(own(one, 'key')), otlpValue(own(one, 'value'))]));
}
