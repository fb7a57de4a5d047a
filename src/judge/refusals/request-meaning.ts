import type { Reason } from '../outcome.js';
import {
  codeMeans,
  errorMeans,
  fieldMeans,
  indexOfMeaning,
  knownFields,
  thinkingParameters,
  wordsMean,
  type RefusalFacts,
} from './refusal.js';

/** Field names that no ordinary sentence contains, so that one shows in any language what was refused. */
const fieldName = /\b(?:[a-z]+_(?:[a-z]+_)*[a-z]+|[a-z]+\.[a-z_]+\.[a-z_.]+)\b/g;
/** Fields whose names are ordinary words, which count only where something marks them as names. */
const wordField =
  '(?:tools?|messages?|stream|stop|seed|temperature|thinking|reasoning|model|user|store|metadata|modalities|logprobs|' +
  'functions?|roles?|content|n)';
const markedField = new RegExp(
  [
    String.raw`['"]${wordField}(?:[.[][\w.[\]]*)?['"]`,
    String.raw`\b(?:parameter|field|argument|param|property|参数|字段|Feld|Parameter|champ|paramètre|パラメータ|フィールド)` +
      String.raw`\W{0,3}['"]?${wordField}\b`,
    String.raw`\b${wordField}['"]?\s*(?:parameter|field|argument|参数|字段|mode\b|パラメータ)`,
    String.raw`\b${wordField}\s*=`,
    String.raw`\b(?:thinking|reasoning|stream)\.\w+`,
    String.raw`\b(?:parse|invalid) ${wordField}\b`,
    String.raw`\b(?:messages|tools|temperature|logprobs|modalities)\b`,
  ].join('|'),
  'i',
);

/** Whether the text names some field of the request. */
function echoesField(facts: RefusalFacts): boolean {
  const asked = facts.request?.fields ?? [];
  for (const [name] of facts.text.matchAll(fieldName)) {
    if (name.split('.').some((part) => knownFields.has(part) || (part.includes('_') && asked.includes(part)))) {
      return true;
    }
  }
  return (
    markedField.test(facts.text) ||
    /\b(?:image|audio|video|file) input\b|does not support (?:tools|images?|vision)/i.test(facts.text)
  );
}

const refusalWord = new RegExp(
  [
    String.raw`unsupported|\bpars(?:e|ing)\b|expected|invalid|unknown|unexpected|unrecogni[sz]ed`,
    'not (?:supported|allowed|valid|permitted|available)',
    "must|require|missing|extra|only|cannot|can't|should|support|illegal|forbidden",
    '不|无效|非法|必须|错误|ungültig|nicht|invalide|inválid|no |無効|対応|않|недоп|неверн',
  ].join('|'),
  'i',
);

/** A crash behind a 5xx lists any fields that it had at hand; a refusal names its field in a sentence that refuses. */
function refusesInASentence(facts: RefusalFacts): boolean {
  const sentences = facts.text.split(/[.;。；]\s+|\n/);
  return sentences.some((text) => refusalWord.test(text) && echoesField({ ...facts, text }));
}

/** Whether the error itself says which field was refused. */
function refusesField(facts: RefusalFacts): boolean {
  return facts.params.some((param) => isFieldName(param) && !isOfCaller(param, facts));
}

/** A gateway may name the key or who sent it where others name a field. */
function isOfCaller(param: string, { request }: RefusalFacts): boolean {
  if (knownFields.has(param) || request?.fields.includes(param) === true) return false;
  return /^(?:(?:\w+_)?key|(?:\w+_)?token|jwt|authori[sz]ation|(?:user|team|org)\w*|sk-.*)$/i.test(param);
}

function isFieldName(param: string): boolean {
  return /^[\w.[\]/-]+$/.test(param) && !/^(?:quota|null|none|validation_error)$/i.test(param);
}

/** Where the text first names a field that has nothing to do with thinking or with calls; -1 where it does not. */
function indexOfOtherField(text: string): number {
  for (const { 0: name, index } of text.matchAll(fieldName)) {
    const [first = ''] = name.split('.');
    if (knownFields.has(first) && !thinkingParameters.includes(first) && first !== 'function_call') return index;
  }
  return -1;
}

/** A reason, and whether a refusal has it. */
type ReasonTest = readonly [reason: Reason, matches: (facts: RefusalFacts) => boolean];

/**
 * The meanings of refusals, whatever their status. The first match counts, so the order is the rule: the specific
 * outranks the general. Evidence that fits one meaning only (the model's output, a page in front, a code) comes before
 * sentences, and a sentence that names a part of the request before one that any request could meet, because the words
 * of the latter ("balance", "limit", "token") also occur in the former.
 */
const reasonTests: readonly ReasonTest[] = [
  // A part that the service attached or blames is unmistakable.
  ['content_filtered', (facts) => codeMeans('contentFiltered', facts)],
  ['model_output_rejected', blamesTheOutput],
  ['gateway', cameFromInFront],
  ['gateway', (facts) => errorMeans('connection', facts)],
  // A moderation refusal often adds what it did not charge, so it comes before the bill.
  ['content_filtered', isFiltered],
  ['quota', (facts) => wordsMean('bill', facts)],
  ['rate_limited', (facts) => codeMeans('rate', facts) && !codeMeans('quota', facts)],
  ['quota', (facts) => codeMeans('quota', facts)],
  ['auth', (facts) => codeMeans('auth', facts) && !speaksOfMoneyOrModel(facts) && !saysThatARateIsExceeded(facts)],
  ['model_not_found', (facts) => codeMeans('modelNotFound', facts)],
  [
    'context_length',
    (facts) => codeMeans('contextLength', facts) && !isCapAlone(facts) && !facts.params.some(isPartOfTheForm),
  ],
  // Parts of the request, the smaller before the larger: the word, the schema's own text, the choice, a member, the
  // form.
  ['json_word_required', asksForTheWordJson],
  ['parameter_rejected', missesMember],
  ['schema_rejected', provesTheSchema],
  ['tool_choice_thinking', (facts) => namesToolChoice(facts) && wordsMean('thinking', facts)],
  ['tool_choice_unsupported', namesToolChoice],
  ['parameter_rejected', namesMisplacedMember],
  ['schema_rejected', blamesTheSchema],
  ['response_format_unsupported', namesResponseFormat],
  // The input and its cap together; then the cap alone.
  ['context_length', (facts) => wordsMean('contextLength', facts) && !isCapAlone(facts)],
  ['parameter_rejected', (facts) => fieldMeans('outputCap', facts)],
  [
    'model_not_found',
    (facts) => fieldMeans('modelNotFound', facts) || wordsMean('modelNotFound', facts) || isTheIdAlone(facts),
  ],
  // A field that the error itself names outranks words about money or keys; one that is only mentioned does not.
  ['parameter_rejected', refusesField],
  ['rate_limited', isMinutesQuota],
  ['quota', (facts) => wordsMean('quota', facts)],
  ['auth', (facts) => wordsMean('auth', facts)],
  ['server_error', (facts) => (facts.status ?? 0) < 500 && wordsMean('crash', facts)],
  ['parameter_rejected', (facts) => wordsMean('feature', facts)],
  ['parameter_rejected', (facts) => ((facts.status ?? 0) < 500 ? echoesField(facts) : refusesInASentence(facts))],
  ['rate_limited', saysThatARateIsExceeded],
  ['overloaded', (facts) => wordsMean('overloaded', facts)],
  ['parameter_rejected', (facts) => wordsMean('thinking', facts) && facts.request?.setsThinking === true],
];

/** The reason that the words, codes and fields of an error give; null where they give none. */
export function requestMeaning(facts: RefusalFacts): Reason | null {
  return reasonTests.find(([, matches]) => matches(facts))?.[0] ?? null;
}

function blamesTheOutput(facts: RefusalFacts): boolean {
  if (facts.generation || codeMeans('modelOutput', facts) || wordsMean('modelOutput', facts)) return true;
  // The unparsable arguments are in the history if it contains a call; otherwise the model has just written them.
  return /parse tool call arguments/i.test(facts.text) && facts.request !== null && !facts.request.hasCallsInHistory;
}

/**
 * No service of this kind answers with a page. A size in tokens is the model's limit, one in bytes that of a machine.
 */
function cameFromInFront(facts: RefusalFacts): boolean {
  if (facts.html) return facts.status === null || facts.status < 500;
  if (wordsMean('inFront', facts)) return true;
  return errorMeans('bodySize', facts) && !countsTokens(facts) && !codeMeans('contextLength', facts);
}

/** Whether a size is counted in tokens. */
export function countsTokens({ text }: RefusalFacts): boolean {
  return /\btokens?\b|context|\b(?:prompt|conversation)\b|shorten (?:your|the)|上下文|Kontext|contexte|コンテキスト|トークン|プロンプト/i.test(
    text,
  );
}

/** A router's rules about providers, whatever they are called, leave none: nobody has read the content. */
const routesNowhere =
  /\bno (?:\w+ )?(?:endpoints?|providers?|deployments?|routes?|channels?)\b.{0,40}\b(?:match|allow|satisf|meet)/i;

/** Whether the input or the output was stopped for its content. */
export function isFiltered(facts: RefusalFacts): boolean {
  if (codeMeans('contentFiltered', facts)) return true;
  if (routesNowhere.test(facts.text)) return false;
  const refusesAPart = facts.params.some((param) => /[._]|^(?:tools?|model)$/i.test(param)) && refusesField(facts);
  return !refusesAPart && wordsMean('contentFiltered', facts);
}

function speaksOfMoneyOrModel(facts: RefusalFacts): boolean {
  return wordsMean('quota', facts) || codeMeans('modelNotFound', facts) || wordsMean('modelNotFound', facts);
}

/** The cap by itself: its own maximum, which a service may compare with the window without meaning the input. */
function isCapAlone(facts: RefusalFacts): boolean {
  if (!fieldMeans('outputCap', facts) && indexOfMeaning('outputCap', facts.text) < 0) return false;
  if (/\b(?:input|prompt|messages?)\b/i.test(facts.text)) return !wordsMean('contextLength', facts);
  return !wordsMean('contextLength', facts) || /less than the \W?context/i.test(facts.text);
}

/** A text that is too long elsewhere than in the messages. */
function isPartOfTheForm(param: string): boolean {
  return /^(?:body\.)?(?:tools?|functions?|response_format|stop|user|metadata)\b/i.test(param);
}

function isTheIdAlone({ text }: RefusalFacts): boolean {
  return /^\W*\(model\)\W*$/.test(text);
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
  if (fieldMeans('toolChoice', facts) || codeMeans('toolChoice', facts)) return true;
  const choice = indexOfMeaning('toolChoice', facts.text);
  if (choice < 0) return false;
  if (facts.params.some((param) => !/^(?:body|tool_choice|tools?)?$|^[a-z]+_?error$/i.test(param))) return false;
  // The field that is named first was refused: "response_format cannot be combined with tool_choice".
  const before = [facts.text.search(/response[ _-]?format/i), indexOfOtherField(facts.text)];
  return before.every((at) => at < 0 || choice < at);
}

/** Members of a form or of a declared function that are neither its type nor its schema. */
const memberPath = /(?:response_format\S*|tools?\S*|function\S*)[.\]](?:strict|name|description)\b(?!\.)/i;

/** A required member is absent: the form is known, the request is incomplete. */
function missesMember(facts: RefusalFacts): boolean {
  const isMissing = facts.codes.some((code) => /^missing_?(?:required_?)?parameter$/i.test(code));
  return isMissing && (fieldMeans('responseFormat', facts) || facts.params.some((param) => memberPath.test(param)));
}

/** A member of the form that is unknown, misplaced or has a wrong value; the form itself is not refused. */
function namesMisplacedMember(facts: RefusalFacts): boolean {
  if (facts.params.some((param) => memberPath.test(param)) || memberPath.test(facts.text)) return true;
  if (!codeMeans('misplacedMember', facts) && !wordsMean('misplacedMember', facts)) return false;
  const named = [...facts.params, facts.text].join(' ');
  return (
    /response_format\.(?:schema|name|description|strict|json_schema\.(?!schema\b)\w+)(?![\w.])/i.test(named) ||
    (/['"](?:strict|name)['"]/i.test(facts.text) && !/\.parameters\b|json_schema\.schema/i.test(named))
  );
}

/** The schema of the body, whose keywords the service dumps into its message, is not the one that the client sent. */
function speaksOfTheBody({ text }: RefusalFacts): boolean {
  return /\b(?:at|of|in) ['"]?\/(?:['"\s]|(?:messages|model|prompt|stream|temperature|max_tokens|stop)\b)/i.test(text);
}

/** A code, a field or a path that can only mean the schema. */
function provesTheSchema(facts: RefusalFacts): boolean {
  if (codeMeans('schemaItself', facts)) return true;
  if (speaksOfTheBody(facts)) return false;
  if (facts.request !== null && !facts.request.hasSchema) return false;
  return fieldMeans('schemaItself', facts) || wordsMean('schemaItself', facts);
}

function blamesTheSchema(facts: RefusalFacts): boolean {
  if (speaksOfTheBody(facts)) return false;
  if (facts.request !== null && !facts.request.hasSchema) return false;
  return wordsMean('schema', facts) || /\bproperties\b/.test(facts.text);
}

function namesResponseFormat(facts: RefusalFacts): boolean {
  if (fieldMeans('responseFormat', facts) || codeMeans('responseFormat', facts)) return true;
  return wordsMean('responseFormat', facts) && (facts.request === null || facts.request.hasResponseFormat);
}

/** A rate is exceeded, and neither money nor a longer window is mentioned: the quota is one of seconds or minutes. */
function isMinutesQuota(facts: RefusalFacts): boolean {
  return saysThatARateIsExceeded(facts) && !wordsMean('money', facts) && !wordsMean('longWindow', facts);
}

function saysThatARateIsExceeded(facts: RefusalFacts): boolean {
  return (
    wordsMean('rate', facts) && /exceed|reach|too many|\bhit\b|过于|超|limit|Превыш|superó|excedi/i.test(facts.text)
  );
}
