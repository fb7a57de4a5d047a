import { isObject, type Json, type JsonObject } from '../json/json.js';
import { rememberedByObject } from '../json/remembered.js';
import { itemsOrEmpty, memberOf, objectOf, own, nonEmptyText } from './fields.js';

interface DeclaredTool {
  readonly name: string;
  /** null where declared without parameters: any object is accepted. */
  readonly parameters: Json | null;
}

/** The wishes of a request, in one reading of its body. */
export interface RequestKind {
  readonly fields: readonly string[];
  /** The form of the answer: a call where tools may be used, else the form that `response_format` asks for. */
  readonly form: 'tools' | 'json_schema' | 'json_object' | 'text';
  /** The type of `response_format`, even if nobody knows it; null: there is none. */
  readonly format: string | null;
  /** The schema of `response_format`. */
  readonly schema: Json | null;
  readonly schemaName: string | null;
  /** Whether `json_schema` is strict, as it is unless it says otherwise; null: there is none. */
  readonly isStrict: boolean | null;
  /** The functions that are declared, at the top or by a message, by name. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** The word of `tool_choice`, `object` where it is one; `auto` where it is missing; null: no tools. */
  readonly choice: string | null;
  /** The function that an object names. */
  readonly chosen: string | null;
  readonly stream: boolean;
  /** A stream was asked to end with its usage; without that, most services leave it out. */
  readonly streamsUsage: boolean;
  readonly isParallelOff: boolean;
  /** A field sets how much the model thinks. */
  readonly setsThinking: boolean;
}

const thinkingRequestFields = ['thinking', 'enable_thinking', 'reasoning_effort', 'reasoning', 'chat_template_kwargs'];

const sentToolChoice = (sent: Json | undefined): string => (isObject(sent) ? 'object' : (nonEmptyText(sent) ?? 'auto'));

export const requestKind = rememberedByObject((request: Json): RequestKind => {
  const body = objectOf(request) ?? {};
  const fields = Object.keys(body);
  const response = own(body, 'response_format');
  const wrapper = memberOf(response, 'json_schema');
  const format = nonEmptyText(memberOf(response, 'type'));
  const tools = declarationsOf(body);
  const sent = own(body, 'tool_choice');
  const choice = tools.length === 0 ? null : sentToolChoice(sent);
  const asked = format === 'json_schema' || format === 'json_object' ? format : 'text';
  return {
    fields,
    form: choice === null || choice === 'none' ? asked : 'tools',
    format,
    schema: memberOf(wrapper, 'schema') ?? memberOf(response, 'schema') ?? null,
    schemaName: nonEmptyText(memberOf(wrapper, 'name')),
    isStrict: isObject(wrapper) ? wrapper['strict'] !== false : null,
    tools: declaredTools(tools),
    choice,
    chosen: nonEmptyText(memberOf(memberOf(sent, 'function'), 'name')),
    stream: own(body, 'stream') === true,
    streamsUsage: memberOf(own(body, 'stream_options'), 'include_usage') === true,
    isParallelOff: own(body, 'parallel_tool_calls') === false,
    setsThinking: [...thinkingRequestFields, 'extra_body'].some((name) => fields.includes(name)),
  };
});

/** The tools that a request declares: at its top, and where a message adds some to the conversation. */
export function declarationsOf(body: JsonObject): readonly Json[] {
  const inMessages = itemsOrEmpty(own(body, 'messages')).flatMap((message) => itemsOrEmpty(memberOf(message, 'tools')));
  return [...itemsOrEmpty(own(body, 'tools')), ...inMessages];
}

function declaredTools(list: readonly Json[]): ReadonlyMap<string, DeclaredTool> {
  const tools = new Map<string, DeclaredTool>();
  for (const item of list) {
    const declared = memberOf(item, 'function');
    const name = nonEmptyText(memberOf(declared, 'name'));
    if (name === null || tools.has(name)) continue;
    tools.set(name, { name, parameters: memberOf(declared, 'parameters') ?? null });
  }
  return tools;
}
