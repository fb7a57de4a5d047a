import type { Answer } from '../../chat/exchange.js';
import { objectOf, own } from '../../chat/fields.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { plainHeaders } from '../application/arriving.js';
import { errorAnswer } from './error-answer.js';
import { recordedAnswer } from './recorded-answer.js';
import { decodedJson, firstMember, pairOf, recordId, requestBodyIn, type RecordForm } from './recorded-pair.js';

/** Records of LiteLLM's loggers: the standard payload, the arguments of a callback, or a row of the spend logs. */
export const litellmRecord: RecordForm = (record) => {
  const inArguments = objectOf(own(record, 'kwargs')) ?? record;
  const log = objectOf(own(inArguments, 'standard_logging_object')) ?? inArguments;
  if (!marks.some((mark) => own(log, mark) !== undefined)) return null;
  const id = recordId(log, ['id', 'litellm_call_id', 'request_id', 'trace_id']);
  const type = own(log, 'call_type');
  if (typeof type === 'string' && type !== '' && !/^a?completion$/.test(type)) return [{ kind: 'other', id }];
  return pairOf({ id, request: litellmRequest(log), answer: litellmAnswer(log), expect: own(record, 'expect') });
};

/** Members that no other log has. */
const marks = ['call_type', 'model_parameters', 'litellm_params', 'litellm_call_id', 'optional_params'];

/** The body as the proxy got it, else as it can be put together. Streams are logged as one completion. */
function litellmRequest(log: JsonObject): JsonObject {
  const proxied = requestBodyIn(own(log, 'proxy_server_request'));
  const settings = objectOf(decodedJson(firstMember(log, ['model_parameters', 'optional_params']))) ?? {};
  const assembled = {
    ...settings,
    model: own(log, 'model') ?? null,
    messages: decodedJson(own(log, 'messages')) ?? [],
  };
  const body = proxied !== null && own(proxied, 'messages') !== undefined ? proxied : assembled;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'stream' && name !== 'stream_options'));
}

/** undefined: the log does not hold it. */
function litellmAnswer(log: JsonObject): Answer | null | undefined {
  const error = objectOf(own(log, 'error_information')) ?? {};
  const code = textOr(error, 'error_code');
  const said = textOr(error, 'error_message') || textOr(log, 'error_str') || textOr(log, 'exception');
  const headers = providerHeaders(log);
  if (own(log, 'status') === 'failure' || said !== '' || /^[45]\d\d$/.test(code)) {
    return errorAnswer({ status: code, type: textOr(error, 'error_class'), message: said, headers });
  }
  const response = decodedJson(firstMember(log, ['response', 'original_response', 'complete_streaming_response']));
  const isKept = isObject(response) ? Object.keys(response).length > 0 && !isRedacted(response) : response !== '';
  if (response === undefined || !isKept) return undefined;
  const answer = recordedAnswer(response);
  return answer === null ? null : { ...answer, headers: { ...headers, ...answer.headers } };
}

/** Where messages are not to be logged, this stands for them. */
function isRedacted(response: JsonObject): boolean {
  return own(response, 'text') === 'redacted-by-litellm';
}

function textOr(holder: JsonObject, name: string): string {
  const value: Json | undefined = own(holder, name);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== 'None' ? value : '';
}

/** The headers of the service behind the gateway. */
function providerHeaders(log: JsonObject): Answer['headers'] {
  const hidden = objectOf(own(log, 'hidden_params')) ?? {};
  const headers = Object.entries(plainHeaders(own(hidden, 'additional_headers')));
  const usable = headers.filter(([name]) => !/content-(?:type|length|encoding)$/.test(name));
  return Object.fromEntries(usable.map(([name, value]) => [name.replace(/^llm_provider-/, ''), value]));
}
