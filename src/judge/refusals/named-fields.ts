import { knownFields, thinkingFields } from './field-names.js';
import type { RefusalFacts } from './refusal.js';

/** Field names that no ordinary sentence contains, so that one shows in any language what was refused. */
const fieldName = /\b(?:[a-z]+_(?:[a-z]+_)*[a-z]+|[a-z]+\.[a-z_]+\.[a-z_.]+)\b/g;
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

/** Whether the text names some field of the request. */
export function echoesField(facts: RefusalFacts): boolean {
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

/** Whether the error itself says which field was refused. */
export function refusesField(facts: RefusalFacts): boolean {
  return facts.params.some(isFieldName);
}

function isFieldName(param: string): boolean {
  return /^[\w.[\]/-]+$/.test(param) && !/^(?:quota|null|none|validation_error)$/i.test(param);
}

/** Where the text first names a field that has nothing to do with thinking or with calls; -1 where it does not. */
export function indexOfOtherField(text: string): number {
  for (const { 0: name, index } of text.matchAll(fieldName)) {
    const [first = ''] = name.split('.');
    if (knownFields.has(first) && !thinkingFields.includes(first) && first !== 'function_call') return index;
  }
  return -1;
}

export function asksForThinking({ request }: RefusalFacts): boolean {
  const names = ['thinking', 'enable_thinking', 'reasoning_effort', 'reasoning', 'chat_template_kwargs', 'extra_body'];
  return names.some((name) => request?.fields.includes(name));
}
