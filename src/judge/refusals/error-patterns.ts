import table from './patterns.json' with { type: 'json' };
import type { ErrorFacts } from '../../chat/errors/error-facts.js';

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

interface Row {
  readonly codes?: readonly string[];
  readonly params?: string;
  readonly words?: readonly string[];
}

/** What can be refused, and how to recognise it. Other wordings are still recognised by status, code or field. */
const patterns = new Map<string, ErrorPattern>(
  Object.entries<Row>({ ...table.account, ...table.request }).map(([meaning, { codes = [], params, words = [] }]) => [
    meaning,
    {
      codes: codes.map(patternOf),
      params: params === undefined ? null : patternOf(params),
      words: words.map(patternOf),
    },
  ]),
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
  return wordsOf(meaning).some((pattern) => pattern.test(words));
}

/** Where in the text the meaning first appears; -1 where it does not. */
export function indexOfMeaning(meaning: Meaning, text: string): number {
  const found = wordsOf(meaning)
    .map((pattern) => text.search(pattern))
    .filter((at) => at >= 0);
  return found.reduce((first, at) => (first < 0 || at < first ? at : first), -1);
}

/** The text with something else in place of all words of this meaning. */
export function without(meaning: Meaning, text: string, instead: string): string {
  return wordsOf(meaning).reduce((left, pattern) => left.replaceAll(new RegExp(pattern, 'gi'), instead), text);
}

function wordsOf(meaning: Meaning): readonly RegExp[] {
  return patterns.get(meaning)?.words ?? [];
}

/** Whether the error has this meaning by its codes, its field or its words. */
export function errorMeans(meaning: Meaning, facts: SaidError): boolean {
  return codeMeans(meaning, facts) || fieldMeans(meaning, facts) || wordsMean(meaning, facts);
}

export const thinkingFields = [
  ...['reasoning_effort', 'reasoning_content', 'enable_thinking', 'thinking_budget', 'chat_template_kwargs'],
];
export const knownFields = new Set([
  ...thinkingFields,
  ...['max_tokens', 'max_completion_tokens', 'stream_options', 'include_usage', 'parallel_tool_calls'],
  ...['tool_call_id', 'tool_calls', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty'],
  ...['repetition_penalty', 'logit_bias', 'image_url', 'top_logprobs', 'service_tier', 'prompt_cache_key'],
  ...['safety_identifier', 'function_call', 'thought_signature', 'max_output_tokens', 'max_new_tokens'],
]);

export function isRequestField(name: string): boolean {
  return knownFields.has(name) || name === 'response_format' || name === 'tool_choice';
}

/** `RateLimitExceeded.EndpointRPMExceeded` as `rate_limit_exceeded_endpoint_rpm_exceeded`. */
export function snakeCase(code: string): string {
  return code
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$&_')
    .replaceAll(/\W+/g, '_')
    .toLowerCase();
}
