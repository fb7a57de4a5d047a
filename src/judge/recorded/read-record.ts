import { objectOf, own } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { litellmRecord } from './litellm-log.js';
import { recordedAnswer } from './recorded-answer.js';
import { batchRecord, conversationRecord, plainPair } from './openai-log.js';
import { telemetryLine } from './otel-log.js';
import { pairOf, recordId, requestBodyIn, type Recorded, type RecordForm } from './recorded-pair.js';

/** The forms of logs, the most particular first. */
const forms: readonly RecordForm[] = [
  runJournal,
  telemetryLine,
  litellmRecord,
  batchRecord,
  plainPair,
  conversationRecord,
];

/** The records in one line of a log, mostly one. Never throws. */
export function readRecords(text: string): readonly Recorded[] {
  const read = parseJson(text.replace(/^\uFEFF/, ''));
  return read.ok ? recordsIn(read.value) : [{ kind: 'problem', id: null, code: 'not_json' }];
}

/** The same of a value that was read. */
export function recordsIn(value: Json): readonly Recorded[] {
  if (Array.isArray(value) && value.length > 0) return (value as readonly Json[]).flatMap(recordsIn);
  const records = isObject(value) ? recordsOf(value) : null;
  return records ?? [{ kind: 'problem', id: isObject(value) ? recordId(value, ['id']) : null, code: 'unknown_form' }];
}

function recordsOf(record: JsonObject): readonly Recorded[] | null {
  for (const form of forms) {
    const records = form(record);
    if (records !== null) return records;
  }
  return null;
}

/** The journal of a run of chatspec. */
function runJournal(record: JsonObject): readonly Recorded[] | null {
  const type = own(record, 'type');
  if (type !== 'exchange') {
    return type === 'run_started' || type === 'run_finished' ? [{ kind: 'other', id: null }] : null;
  }
  const exchange = objectOf(own(record, 'exchange')) ?? {};
  const request = requestBodyIn(own(exchange, 'request'));
  const answer = recordedAnswer(own(exchange, 'answer') ?? null);
  return pairOf({ id: recordId(record, ['id']), request, answer });
}
