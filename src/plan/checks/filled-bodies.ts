import { hasTemplate } from '../../body/has-template.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { variablesOf } from '../request/request-body.js';
import { renderTemplates, TemplateError } from '../request/template.js';
import type { Cell } from '../ticket.js';

/** Rows of samples that are looked at: a closed list that fits these texts is not worth reading thousands for. */
const mostRows = 200;

/**
 * The body as the trials of a cell send it, but for the texts of its messages, as far as templates decide what it asks:
 * as it is, and once for each sample row. A template that only a running flow can fill stays as it is.
 */
export function* filledBodies(body: JsonObject, cell: Cell): Generator<JsonObject> {
  yield body;
  const deciding = decidingParts(body);
  if (!hasTemplate(JSON.stringify(deciding))) return;
  const rows = Math.min(mostRows, Math.max(1, cell.probe.samples.length));
  for (let sample = 0; sample < rows; sample += 1) {
    try {
      const filled = renderTemplates(deciding, variablesOf({ cell }, { sample }));
      yield { ...body, ...(filled as JsonObject) };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return;
    }
  }
}

function decidingParts(body: JsonObject): JsonObject {
  const { messages = [] } = body;
  const { tools, tool_choice, response_format } = body;
  const roles = Array.isArray(messages) ? (messages as readonly Json[]).map(withoutContent) : messages;
  const parts = { messages: roles, tools, tool_choice, response_format };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function withoutContent(message: Json): Json {
  if (!isObject(message)) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => name !== 'content'));
}
