import { isObject, type Json, type JsonObject } from '../../../src/json/json.js';
import type { Situation, ToolChoice, WorldModel } from './model.js';

/**
 * What decides how the model answers this body. Reads the wire only, so that the requests of any suite can be scored.
 */
export function situationOf(body: Json, model: Pick<WorldModel, 'thinksByDefault'>): Situation {
  const request = isObject(body) ? body : {};
  return {
    form: formOf(request),
    stream: request['stream'] === true,
    thinking: thinks(request) ?? model.thinksByDefault,
    tool_choice: toolChoiceOf(request),
    max_tokens: smallest(request['max_tokens'], request['max_completion_tokens']),
    prompt: listOf(request['messages'])
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? '')))
      .join('\n'),
  };
}

/** The same request with these labels of axes, whether it was asked or not. Other axes change nothing here. */
export function situationAt(
  asked: Situation,
  point: Readonly<Record<string, string>>,
  model: Pick<WorldModel, 'thinksByDefault'>,
): Situation {
  const { stream, thinking, tool_choice: choice, max_tokens: cap } = point;
  return {
    ...asked,
    ...(stream !== undefined && { stream: stream === 'on' || stream === 'true' }),
    ...(thinking !== undefined && { thinking: thinking === 'enabled' || isDefault(thinking, model) }),
    ...(choice !== undefined && asked.form === 'tools' && { tool_choice: choice as ToolChoice }),
    ...(cap !== undefined && { max_tokens: Number(cap) }),
  };
}

function isDefault(label: string, { thinksByDefault }: Pick<WorldModel, 'thinksByDefault'>): boolean {
  return label === 'default' && thinksByDefault;
}

function formOf({ tools, response_format: format }: JsonObject): Situation['form'] {
  if (listOf(tools).length > 0) return 'tools';
  const type = isObject(format) ? format['type'] : undefined;
  return type === 'json_schema' || type === 'json_object' ? type : 'text';
}

function toolChoiceOf({ tools, tool_choice: choice }: JsonObject): ToolChoice {
  if (listOf(tools).length === 0 || choice === undefined || choice === null) return 'absent';
  return isObject(choice) ? 'object' : (choice as ToolChoice);
}

/** null: the request does not say. */
function thinks({ thinking, reasoning_effort: effort }: JsonObject): boolean | null {
  if (isObject(thinking)) return thinking['type'] !== 'disabled';
  return typeof effort === 'string' ? effort !== 'none' : null;
}

function smallest(...values: readonly (Json | undefined)[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : Math.min(...numbers);
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}
