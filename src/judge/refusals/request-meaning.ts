import type { Reason } from '../reasons.js';
import type { RefusalFacts } from './refusal.js';
import { codeMeans, fieldMeans, wordsMean, indexOfMeaning } from './error-patterns.js';

/** A reason, and whether a refusal has it. */
type ReasonTest = readonly [reason: Reason, matches: (facts: RefusalFacts) => boolean];

/** Which part of the request was refused; the most reliable evidence comes first. */
const reasonTests: readonly ReasonTest[] = [
  ['model_output_rejected', blamesTheOutput],
  ['content_filtered', (facts) => codeMeans('contentFiltered', facts)],
  ['auth', (facts) => codeMeans('auth', facts)],
  ['quota', (facts) => codeMeans('quota', facts)],
  ['model_not_found', (facts) => codeMeans('modelNotFound', facts)],
  ['context_length', (facts) => codeMeans('contextLength', facts) && !fieldMeans('outputCap', facts)],
  ['json_word_required', asksForTheWordJson],
  ['tool_choice_thinking', (facts) => namesToolChoice(facts) && wordsMean('thinking', facts)],
  ['tool_choice_unsupported', namesToolChoice],
  ['schema_rejected', blamesTheSchema],
  ['response_format_unsupported', namesResponseFormat],
  ['parameter_rejected', (facts) => fieldMeans('outputCap', facts)],
  ['context_length', (facts) => wordsMean('contextLength', facts) && !startsWithOutputCap(facts)],
  ['model_not_found', (facts) => fieldMeans('modelNotFound', facts) || wordsMean('modelNotFound', facts)],
  ['parameter_rejected', (facts) => facts.params.some(isFieldName) || echoesField(facts)],
  ['auth', (facts) => wordsMean('auth', facts)],
  ['content_filtered', (facts) => wordsMean('contentFiltered', facts)],
  ['parameter_rejected', (facts) => wordsMean('thinking', facts) && facts.request !== null && asksForThinking(facts)],
];

/** The reason that names the part of the request that an error refers to; null where it refers to none. */
export function requestMeaning(facts: RefusalFacts): Reason | null {
  return reasonTests.find(([, matches]) => matches(facts))?.[0] ?? null;
}

function blamesTheOutput(facts: RefusalFacts): boolean {
  if (facts.generation || codeMeans('modelOutput', facts) || wordsMean('modelOutput', facts)) return true;
  // The unparsable arguments are in the history if it contains a call; otherwise the model has just written them.
  return /parse tool call arguments/i.test(facts.text) && facts.request !== null && !facts.request.hasCallsInHistory;
}

/** Distinguished from complaints about JSON that does not parse. */
function asksForTheWordJson(facts: RefusalFacts): boolean {
  if (facts.request !== null && !facts.request.hasResponseFormat) return false;
  if (/\b(?:in)?valid json|malformed json|expected json|json (?:parse|decod|syntax)/i.test(facts.text)) return false;
  return wordsMean('jsonWord', facts) || missesTheWordJson(facts);
}

/** For languages without a pattern: the error blames the messages and quotes the word that they lack. */
function missesTheWordJson({ request, params, text }: RefusalFacts): boolean {
  const blamed =
    params.some((param) => /^(?:body\.)?messages$/i.test(param)) || /(?<![\w.])messages(?![\w.[])/.test(text);
  return blamed && request !== null && !request.saysJson && /(?<!, ?)(['"])json\1(?! ?,)/i.test(text);
}

function namesToolChoice(facts: RefusalFacts): boolean {
  if (fieldMeans('toolChoice', facts)) return true;
  const choice = indexOfMeaning('toolChoice', facts.text);
  if (choice < 0) return false;
  if (facts.params.some((param) => !/^(?:body|tool_choice|tools?)?$|^[a-z]+_?error$/i.test(param))) return false;
  // The field that is named first was refused: "response_format cannot be combined with tool_choice".
  const format = facts.text.search(/response[ _-]?format/i);
  return format < 0 || choice < format;
}

function blamesTheSchema(facts: RefusalFacts): boolean {
  if (codeMeans('schema', facts)) return true;
  if (facts.request !== null && !facts.request.hasSchema) return false;
  return fieldMeans('schema', facts) || wordsMean('schema', facts) || /\bproperties\b/.test(facts.text);
}

function namesResponseFormat(facts: RefusalFacts): boolean {
  if (fieldMeans('responseFormat', facts)) return true;
  return wordsMean('responseFormat', facts) && (facts.request === null || facts.request.hasResponseFormat);
}

function startsWithOutputCap(facts: RefusalFacts): boolean {
  const cap = indexOfMeaning('outputCap', facts.text);
  return cap >= 0 && cap < indexOfMeaning('contextLength', facts.text);
}

/** Field names that no ordinary sentence contains, so that one shows in any language what was refused. */
const fieldName = /\b(?:[a-z]+_(?:[a-z]+_)*[a-z]+|[a-z]+\.[a-z_]+\.[a-z_.]+)\b/g;
const knownFields = new Set([
  ...[
    'max_tokens',
    'max_completion_tokens',
    'stream_options',
    'include_usage',
    'reasoning_effort',
    'reasoning_content',
  ],
  ...[
    'enable_thinking',
    'thinking_budget',
    'chat_template_kwargs',
    'parallel_tool_calls',
    'tool_call_id',
    'tool_calls',
  ],
  ...[
    'top_p',
    'top_k',
    'min_p',
    'presence_penalty',
    'frequency_penalty',
    'repetition_penalty',
    'logit_bias',
    'image_url',
  ],
  ...['top_logprobs', 'service_tier', 'prompt_cache_key', 'safety_identifier', 'function_call', 'thought_signature'],
]);
/** Fields whose names are ordinary words, which count only where something marks them as names. */
const wordField = String.raw`(?:tools?|messages?|stream|stop|seed|temperature|thinking|reasoning|model|user|store|metadata|modalities|logprobs|functions?|roles?|content|n)`;
const markedField = new RegExp(
  [
    String.raw`['"]${wordField}(?:[.[][\w.[\]]*)?['"]`,
    String.raw`\b(?:parameter|field|argument|param|property|参数|字段|Feld|Parameter|champ|paramètre|パラメータ|フィールド)\W{0,3}['"]?${wordField}\b`,
    String.raw`\b${wordField}['"]?\s*(?:parameter|field|argument|参数|字段|mode\b|パラメータ)`,
    String.raw`\b${wordField}\s*=`,
    String.raw`\b(?:thinking|reasoning|stream)\.\w+`,
    String.raw`\b(?:parse|invalid) ${wordField}\b`,
    String.raw`\b(?:messages|tools|temperature|logprobs|modalities)\b`,
  ].join('|'),
  'i',
);

function echoesField(facts: RefusalFacts): boolean {
  const asked = facts.request?.fields ?? [];
  for (const [name] of facts.text.matchAll(fieldName)) {
    if (name.split('.').some((part) => knownFields.has(part) || (part.includes('_') && asked.includes(part))))
      return true;
  }
  return (
    markedField.test(facts.text) ||
    /\b(?:image|audio|video|file) input\b|does not support (?:tools|images?|vision)/i.test(facts.text)
  );
}

function isFieldName(param: string): boolean {
  return /^[\w.[\]/-]+$/.test(param) && !/^(?:quota|null|none|validation_error)$/i.test(param);
}

function asksForThinking({ request }: RefusalFacts): boolean {
  const names = ['thinking', 'enable_thinking', 'reasoning_effort', 'reasoning', 'chat_template_kwargs', 'extra_body'];
  return names.some((name) => request?.fields.includes(name));
}
