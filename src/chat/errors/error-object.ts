import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { itemsOrEmpty, objectOf, nonEmptyText } from '../fields.js';

/** Finish reasons that mean the generation failed. */
const failedFinishReasons = /^(error|.*_error|network_error|abort|aborted|insufficient_system_resource|failed)$/i;

/**
 * The error that a body (or a chunk) carries instead of or alongside a completion; undefined for none.
 * Checked before the choices, since an error chunk may look like a usage chunk.
 */
export function errorInBody(body: Json): Json | undefined {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) {
    const list = body as readonly Json[];
    const found = list
      .map((item) => (isObject(item) ? errorInBody(item) : undefined))
      .find((error) => error !== undefined);
    return found === undefined ? undefined : body;
  }
  if (!isObject(body)) return undefined;
  return errorMember(body) ?? baseResponse(body) ?? errorOfChoice(body) ?? bareEnvelope(body) ?? deeperError(body);
}

function errorMember(body: JsonObject): Json | undefined {
  const names = ['error', 'errors', 'err', 'exception', 'fault'];
  const found = Object.entries(body).some(([name, value]) => names.includes(name.toLowerCase()) && isNotEmpty(value));
  return found ? body : undefined;
}

/** One level deeper, as in `{Response: {Error: {Code, Message}}}`, where there are no choices. */
function deeperError(body: JsonObject): Json | undefined {
  if (itemsOrEmpty(body['choices']).length > 0) return undefined;
  const holds = (inner: Json): boolean =>
    isObject(inner) && (errorMember(inner) !== undefined || (hasMessage(inner) && hasCode(inner)));
  return Object.values(body).some(holds) ? body : undefined;
}

const messageName = /(?:message|msg|detail)$|^err(?:or)?_?text$/;

function hasMessage(body: JsonObject): boolean {
  return Object.entries(body).some(([written, value]) => {
    const name = written.toLowerCase();
    return messageName.test(name) && (nonEmptyText(value) !== null || (name === 'detail' && isNotEmpty(value)));
  });
}

function hasCode(body: JsonObject): boolean {
  return Object.entries(body).some(([name, value]) => /code$/i.test(name) && Number(value) !== 0);
}

function isNotEmpty(error: Json | undefined): boolean {
  if (error === undefined || error === null || error === false || error === '' || error === 0) return false;
  return typeof error !== 'object' || Object.values(error).some((inner: Json) => isNotEmpty(inner));
}

/** The envelope `{base_resp: {status_code, status_msg}}`, in which 0 means success. */
function baseResponse(body: JsonObject): Json | undefined {
  const envelope = objectOf(body['base_resp']);
  if (envelope === null) return undefined;
  const code = envelope['status_code'];
  return code !== undefined && code !== null && Number(code) !== 0 ? body : undefined;
}

function errorOfChoice(body: JsonObject): Json | undefined {
  for (const item of itemsOrEmpty(body['choices'])) {
    const choice = objectOf(item);
    if (choice === null) continue;
    if (isNotEmpty(choice['error'])) return choice;
    if (isFailedFinishReason(choice['finish_reason']) || isFailedFinishReason(choice['native_finish_reason'])) {
      return choice;
    }
  }
  return undefined;
}

function isFailedFinishReason(reason: Json | undefined): boolean {
  return typeof reason === 'string' && reason !== 'stop' && failedFinishReasons.test(reason);
}

/** `{code, message, data}`, `{detail}`, `{object: "error"}` and the like, where there are no choices. */
function bareEnvelope(body: JsonObject): Json | undefined {
  if (itemsOrEmpty(body['choices']).length > 0) return undefined;
  const isError = body['object'] === 'error' || body['type'] === 'error' || body['status'] === 'error';
  return isError || body['success'] === false || hasMessage(body) ? body : undefined;
}
