import type { Json, JsonObject } from '../../json/json.js';

/** A refusal with an error body in the usual Chat Completions form. */
export interface ServiceError {
  readonly status: number;
  readonly body: JsonObject;
}

/** `param` names the field at fault; null when there is none. */
export function serviceError(
  status: number,
  message: string,
  param: string | null = null,
  code: Json = null,
  type = 'invalid_request_error',
): ServiceError {
  return { status, body: { error: { message, type, param, code } } };
}
