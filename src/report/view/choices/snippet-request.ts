import type { JsonObject } from '../../../json/json.js';
import { mergePatch } from '../../../json/merge-patch.js';
import { isObject } from '../../../json/json.js';
import type { ReportModel } from '../../../matrix/report-format.js';
import type { SnippetRequest } from './snippet.js';

/** What the examples ask for. A reader puts the own text and schema in their place. */
const text = 'Extract the vendor and the total: Acme Ltd, 897.00 CNY.';
const schema: JsonObject = {
  type: 'object',
  properties: { vendor: { type: 'string' }, total: { type: 'number' } },
  required: ['vendor', 'total'],
  additionalProperties: false,
};
/** A client that reads no configuration calls it so. */
const usualKey = 'OPENAI_API_KEY';

interface Asked {
  /** A capability id: the form is the part that names it. */
  readonly form: string;
  /** Settings by label, as recommended. */
  readonly settings: Readonly<Record<string, string>>;
  /** Members to merge over the body. */
  readonly patch: JsonObject;
}

/** A request in this form, to this model. */
export function snippetRequest(
  { model, client }: Pick<ReportModel, 'model' | 'client'>,
  { form, settings, patch }: Asked,
): SnippetRequest {
  const word = settings['json_word'] === 'required' || form.includes('json_object');
  const system = { role: 'system', content: 'Return only JSON that matches the requested schema.' };
  const messages = [...(word ? [system] : []), { role: 'user', content: text }];
  const body = mergePatch({ model, messages, ...formMembers(form, settings) }, patch);
  return {
    baseUrl: client?.base_url ?? null,
    keyVariable: client?.api_key_env ?? usualKey,
    body: isObject(body) ? body : {},
  };
}

function formMembers(form: string, settings: Readonly<Record<string, string>>): JsonObject {
  const strict = settings['strict'] !== 'false';
  if (form.includes('json_schema')) {
    return { response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict, schema } } };
  }
  if (form.includes('json_object')) return { response_format: { type: 'json_object' } };
  if (!form.includes('tool')) return {};
  const named = form.endsWith('.object') || settings['tool_choice'] === 'object';
  const tool = { type: 'function', function: { name: 'record_invoice', strict: true, parameters: schema } };
  return {
    tools: [tool],
    ...(!named && settings['tool_choice'] !== undefined && { tool_choice: settings['tool_choice'] }),
    ...(named && { tool_choice: { type: 'function', function: { name: 'record_invoice' } } }),
  };
}
