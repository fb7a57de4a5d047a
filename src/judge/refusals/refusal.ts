import { clipped, errorFacts, type ErrorFacts } from '../../chat/errors/error-facts.js';
import { waitOf } from '../../chat/errors/retry-after.js';
import { itemsOrEmpty, objectOf, own, nonEmptyText } from '../../chat/fields.js';
import { requestKind, type RequestKind } from '../../chat/request-kind.js';
import { type Json, type JsonObject, writtenJson } from '../../json/json.js';
import table from './patterns.json' with { type: 'json' };

/** An answer that carries an error. */
export interface Refusal {
  /** null where no status line applies, as for an event of a stream. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, or a parsed error object. */
  readonly body: Json;
  /** The request's body; null where it is not known. */
  readonly request: Json | null;
}

/** A refusal in the form that the error patterns are matched against. */
export interface RefusalFacts extends ErrorFacts {
  readonly status: number | null;
  /** All messages, with the model's id removed and quotation marks made plain. */
  readonly text: string;
  /**
   * The text without names that the client chose (of functions, schemas, quoted fields) and without assurances that
   * nothing was charged: what is left are the words of the service itself.
   */
  readonly prose: string;
  /** Seconds that the answer asks to wait, in its headers or its body; null where it does not say. */
  readonly wait: number | null;
  readonly request: RequestFacts | null;
}

/** Parts of the request that could be refused. */
interface RequestFacts extends Pick<RequestKind, 'fields' | 'setsThinking'> {
  readonly model: string | null;
  readonly hasSchema: boolean;
  readonly hasResponseFormat: boolean;
  readonly hasCallsInHistory: boolean;
  readonly saysJson: boolean;
  /** Of the functions and the schema that the request declares. */
  readonly names: readonly string[];
}

export function refusalFacts({ status, headers, body, request }: Refusal): RefusalFacts {
  const facts = withoutStatusNames(errorFacts(body), status);
  const sent = objectOf(request ?? undefined);
  const asked = sent === null ? null : requestFacts(sent);
  const text = plainText(clipped(facts.messages.join('\n')), asked?.model ?? null);
  const prose = proseOf(text, asked?.names ?? []);
  return { ...facts, status, text, prose, wait: waitOf(status, headers, facts), request: asked };
}

/** Names that libraries and gateways give every error of a status: no evidence of anything else. */
const errorClasses = [
  'BadRequest|InvalidRequest|Authentication|PermissionDenied|NotFound|Conflict|UnprocessableEntity',
  'RateLimit|InternalServer|ServiceUnavailable|API|APIStatus|APIConnection',
];
const statusNames = new RegExp(String.raw`\b(?:\w+\.)?(?:${errorClasses.join('|')})(?:Error|Exception)\b`, 'g');
const namesOf429 = /^(?:rate_?limit(?:ed)?(?:_?error)?|throttling(?:_?(?:error|exception))?)$/i;

function withoutStatusNames(facts: ErrorFacts, status: number | null): ErrorFacts {
  const plain = (code: string): string => (status === 429 && namesOf429.test(code) ? 'too_many_requests' : code);
  return {
    ...facts,
    messages: facts.messages.map((message) => message.replaceAll(statusNames, '')),
    codes: facts.codes.map(plain),
    types: facts.types.map(plain),
  };
}

function requestFacts(request: JsonObject): RequestFacts {
  const { fields, schema, schemaName, tools, setsThinking } = requestKind(request);
  const messages = itemsOrEmpty(own(request, 'messages')).map((message) => objectOf(message) ?? {});
  return {
    fields,
    setsThinking,
    model: nonEmptyText(own(request, 'model')),
    hasSchema: schema !== null || ['tools', ...table.fields.schema].some((name) => fields.includes(name)),
    hasResponseFormat: fields.includes('response_format'),
    hasCallsInHistory: messages.some((message) => own(message, 'tool_calls') !== undefined),
    saysJson: messages.some((message) => /json/i.test(writtenJson(own(message, 'content') ?? ''))),
    names: [...tools.keys(), schemaName].filter((name) => name !== null),
  };
}

/** Without model ids (which contain words like "thinking") and lists of allowed values (which name every field). */
function plainText(text: string, model: string | null): string {
  const names = model === null ? [] : [model, model.split('/').at(-1) ?? model].filter((name) => name.length > 2);
  const unlinked = text.replaceAll(
    /(?:https?:\/\/|\bwww\.|\b(?:docs?|help|platform|console)\.[\w.-]+\/)[^\s"'<>，。；）)\]}]*/gi,
    '(link)',
  );
  const unnamed = names.reduce((left, name) => replaceName(left, name), unlinked);
  return unnamed
    .replaceAll(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, (word) => (isRequestField(snakeCase(word)) ? snakeCase(word) : word))
    .replaceAll(/[“”„«»「」『』‘’`]/g, "'")
    .replaceAll(/\b[a-z][\w.]*(?:[-/][\w.]*)*[-/](?:thinking|reasoner|reasoning)(?:-[\w.]+)*/gi, (id) =>
      /\d/.test(id) ? '(model)' : id,
    )
    .replaceAll(
      /\b(?:supported|allowed|valid|accepted|available|known)\s+(?:parameters|fields|arguments|keys|params)\b[^.\n]*/gi,
      '(list)',
    );
}

/** Only whole words, not parts of longer ones. */
function replaceName(text: string, name: string, by = '(model)'): string {
  if (!text.includes(name)) return text;
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`, 'g'), by);
}

function proseOf(text: string, names: readonly string[]): string {
  const unquoted = text.replaceAll(/(['"])[\w.[\]/$-]+\1/g, '(name)');
  const unnamed = names
    .filter((name) => name.length > 2)
    .reduce((left, name) => replaceName(left, name, '(name)'), unquoted);
  // Codes also stand in sentences: not_enough_balance.
  const spelled = unnamed.replaceAll('_', ' ');
  return replaceMeaning('nothingCharged', spelled, '(free)');
}

/** An error in the form that the patterns are matched against. */
interface SaidError extends Pick<ErrorFacts, 'codes' | 'types' | 'params'> {
  readonly text: string;
  readonly prose: string;
}

/** How a meaning is recognised. */
interface ErrorPattern {
  /** Matched against each code and type; one match is enough. */
  readonly codes: readonly RegExp[];
  /** Matched against each name of a refused field. */
  readonly params: RegExp | null;
  /** Matched against the messages; one match is enough. */
  readonly words: readonly RegExp[];
}

type Meaning = keyof typeof table.account | keyof typeof table.request;

interface WrittenErrorPattern {
  readonly codes?: readonly string[];
  readonly params?: string;
  readonly words?: readonly string[];
}

/** Meanings of errors, and how to recognise each. Other wordings are still recognised by status, code or field. */
const patterns = new Map<string, ErrorPattern>(
  Object.entries<WrittenErrorPattern>({ ...table.account, ...table.request }).map(
    ([meaning, { codes = [], params, words = [] }]) => [
      meaning,
      {
        codes: codes.map(patternOf),
        params: params === undefined ? null : patternOf(params),
        words: words.map(patternOf),
      },
    ],
  ),
);

/** The pattern of a row of the table, whose beginning says how it is written. */
export function patternOf(row: string): RegExp {
  const [one = '', apart, other = ''] = row.split(/<~(\d+)>/);
  const source = apart === undefined ? one : `(${one})<${apart}>(${other})|(${other})<${apart}>(${one})`;
  return new RegExp(source.replaceAll(/<(\d+)>/g, String.raw`(?:[^.;\n]|\.(?=\w)){0,$1}`), 'i');
}

/** Whether a code or a type of the error has this meaning. */
export function codeMeans(meaning: Meaning, { codes, types }: SaidError): boolean {
  const found = patterns.get(meaning)?.codes ?? [];
  const said = [...codes, ...types].flatMap((code) => [code, snakeCase(code)]);
  return said.some((code) => found.some((pattern) => pattern.test(code)));
}

/** Whether the field that the error names as refused has this meaning. */
export function fieldMeans(meaning: Meaning, { params }: SaidError): boolean {
  return params.some((param) => patterns.get(meaning)?.params?.test(param));
}

/** Whether the words of the error have this meaning. Names that the client chose are no words. */
export function wordsMean(meaning: Meaning, { text, prose }: SaidError): boolean {
  const words = Object.hasOwn(table.account, meaning) ? prose : text;
  return wordPatternsFor(meaning).some((pattern) => pattern.test(words));
}

/** Where in the text the meaning first appears; -1 where it does not. */
export function indexOfMeaning(meaning: Meaning, text: string): number {
  const found = wordPatternsFor(meaning)
    .map((pattern) => text.search(pattern))
    .filter((at) => at >= 0);
  return found.reduce((first, at) => (first < 0 || at < first ? at : first), -1);
}

/** The text with something else in place of all words of this meaning. */
function replaceMeaning(meaning: Meaning, text: string, instead: string): string {
  return wordPatternsFor(meaning).reduce((left, pattern) => left.replaceAll(new RegExp(pattern, 'gi'), instead), text);
}

function wordPatternsFor(meaning: Meaning): readonly RegExp[] {
  return patterns.get(meaning)?.words ?? [];
}

/** Whether the error has this meaning by its codes, its field or its words. */
export function errorMeans(meaning: Meaning, facts: SaidError): boolean {
  return codeMeans(meaning, facts) || fieldMeans(meaning, facts) || wordsMean(meaning, facts);
}

export const thinkingParameters: readonly string[] = table.fields.thinking;
export const knownFields: ReadonlySet<string> = new Set([...thinkingParameters, ...table.fields.known]);
/** Short names of fields, which are words of English as well. */
export const shortFields: readonly string[] = table.fields.short;
/** Names of one thing, which take the same values. */
export const alikeFields: readonly (readonly string[])[] = table.fields.alike;

function isRequestField(name: string): boolean {
  return knownFields.has(name) || name === 'response_format' || name === 'tool_choice';
}

/** `RateLimitExceeded.EndpointRPMExceeded` as `rate_limit_exceeded_endpoint_rpm_exceeded`. */
function snakeCase(code: string): string {
  return code
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$&_')
    .replaceAll(/\W+/g, '_')
    .toLowerCase();
}
