import { errorFacts, type ErrorFacts } from '../../chat/errors/error-facts.js';
import { listOf, objectOf, own, textOf } from '../../chat/fields.js';
import type { Json, JsonObject } from '../../json/json.js';

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
  readonly request: RequestFacts | null;
}

/** What the request contains that could be refused. */
interface RequestFacts {
  readonly model: string | null;
  readonly fields: readonly string[];
  readonly hasSchema: boolean;
  readonly hasResponseFormat: boolean;
  readonly hasCallsInHistory: boolean;
  readonly saysJson: boolean;
}

export function refusalFacts({ status, body, request }: Refusal): RefusalFacts {
  const facts = errorFacts(body);
  const known = objectOf(request ?? undefined);
  const asked = known === null ? null : requestFacts(known);
  return {
    ...facts,
    status,
    text: plainText(clipped(facts.messages.join('\n')), asked?.model ?? null),
    request: asked,
  };
}

const schemaFields = ['guided_json', 'guided_grammar', 'guided_regex', 'grammar', 'structured_outputs', 'json_schema'];

function requestFacts(request: JsonObject): RequestFacts {
  const format = objectOf(own(request, 'response_format'));
  const messages = listOf(own(request, 'messages'));
  const tools = own(request, 'tools');
  const fields = Object.keys(request);
  return {
    model: textOf(own(request, 'model')),
    fields,
    hasSchema:
      tools !== undefined ||
      (format !== null && ['json_schema', 'schema'].some((name) => own(format, name) !== undefined)) ||
      schemaFields.some((name) => fields.includes(name)),
    hasResponseFormat: own(request, 'response_format') !== undefined,
    hasCallsInHistory: messages.some((message) => own(objectOf(message) ?? {}, 'tool_calls') !== undefined),
    saysJson: messages.some((message) => /json/i.test(JSON.stringify(own(objectOf(message) ?? {}, 'content') ?? ''))),
  };
}

/** The beginning and end of a long text: they name what was refused, and matching them takes bounded time. */
function clipped(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 3000)}\n${text.slice(-1000)}` : text;
}

/** Without model ids (which contain words like "thinking") and lists of allowed values (which name every field). */
function plainText(text: string, model: string | null): string {
  const names = model === null ? [] : [model, model.split('/').at(-1) ?? model].filter((name) => name.length > 2);
  const unnamed = names.reduce((left, name) => replaceName(left, name), text);
  return unnamed
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
function replaceName(text: string, name: string): string {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`, 'g'), '(model)');
}
