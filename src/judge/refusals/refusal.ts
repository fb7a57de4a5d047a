import { clipped, errorFacts, type ErrorFacts } from '../../chat/errors/error-facts.js';
import { waitOf } from '../../chat/errors/retry-after.js';
import { requestKind, type RequestKind } from '../../chat/request-kind.js';
import { listOf, objectOf, own, textOf } from '../../chat/fields.js';
import type { Json, JsonObject } from '../../json/json.js';
import { isRequestField, snakeCase, without } from './error-patterns.js';

/** What is known of an answer that carries an error. */
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

/** What the request contains that could be refused. */
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
  const facts = errorFacts(body);
  const known = objectOf(request ?? undefined);
  const asked = known === null ? null : requestFacts(known);
  const text = plainText(clipped(facts.messages.join('\n')), asked?.model ?? null);
  const prose = proseOf(text, asked?.names ?? []);
  return { ...facts, status, text, prose, wait: waitOf(status, headers, facts), request: asked };
}

const schemaFields = ['guided_json', 'guided_grammar', 'guided_regex', 'grammar', 'structured_outputs', 'json_schema'];

function requestFacts(request: JsonObject): RequestFacts {
  const { fields, schema, schemaName, tools, setsThinking } = requestKind(request);
  const messages = listOf(own(request, 'messages')).map((message) => objectOf(message) ?? {});
  return {
    fields,
    setsThinking,
    model: textOf(own(request, 'model')),
    hasSchema: schema !== null || ['tools', ...schemaFields].some((name) => fields.includes(name)),
    hasResponseFormat: fields.includes('response_format'),
    hasCallsInHistory: messages.some((message) => own(message, 'tool_calls') !== undefined),
    saysJson: messages.some((message) => /json/i.test(JSON.stringify(own(message, 'content') ?? ''))),
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
  return without('nothingCharged', spelled, '(free)');
}
