import type { Exchange } from '../chat/exchange.js';
import { objectOf } from '../chat/fields.js';
import type { Reading, Reply } from '../chat/reply.js';
import type { Json, JsonObject } from '../json/json.js';
import { once } from '../json/once.js';
import type { Comparison } from './compared.js';
import { declaredTools, type DeclaredTool } from './declared-tools.js';
import type { Engine } from './engine.js';
import type { Expectation } from './expectation.js';
import { readCall, type ReadCall } from './json/read-call.js';
import { writtenCall, type WrittenCall } from './json/tool-call-text.js';
import { readJsonText, type JsonText } from './json/wrapped-json.js';
import type { Outcome, Rung } from './outcome.js';

/** What rules may refer to besides the answer. */
export interface JudgeValues {
  readonly vars: JsonObject;
  /** The body as sent. */
  readonly request: Json;
  /** Results of a flow's earlier steps. */
  readonly steps: JsonObject;
}

/** By what an answer is judged. Plain data, which another thread can be given. */
export interface Judging {
  /** What must come back; nothing is derived from the request. */
  readonly expectation: Expectation;
  /** What the rules of the expectation may refer to. */
  readonly values: JudgeValues;
  /** What the outcome has to tell besides of the reply's documents. */
  readonly comparison?: Comparison;
}

/** Everything that a rung may examine. Each part is read once, when first needed. */
export interface JudgeContext {
  readonly exchange: Exchange;
  readonly expectation: Expectation;
  readonly values: JudgeValues;
  readonly engine: Engine;
  readonly request: JsonObject;
  readonly reading: () => Reading;
  /** Only for rungs above `readable`. */
  readonly reply: () => Reply;
  readonly tools: () => ReadonlyMap<string, DeclaredTool>;
  readonly calls: () => readonly ReadCall[];
  /** The content as JSON. */
  readonly document: () => JsonText;
  /** A call that was written into the content or the reasoning instead of being made; null where there is none. */
  readonly callInContent: () => WrittenCall | null;
  readonly callInReasoning: () => WrittenCall | null;
  /** The parsed content, the first call's arguments, or the text. */
  readonly value: () => Json | undefined;
}

/** What a failing rung reports; the ladder adds the rest. */
export type Failure = Pick<Outcome, 'class' | 'detail'> &
  Partial<Pick<Outcome, 'fault' | 'reason' | 'violations'>> & {
    /** The highest rung the answer still reached. */
    readonly rung: Rung | null;
  };

/** A rung of the ladder; null when the answer passes it. */
export type RungCheck = (context: JudgeContext) => Failure | null;

export function judgeContext(exchange: Exchange, { expectation, values }: Judging, engine: Engine): JudgeContext {
  const request = objectOf(values.request) ?? objectOf(exchange.request.body) ?? {};
  const reading = once(() => engine.read(exchange.answer));
  const reply = once(() => {
    const read = reading();
    if (read.kind !== 'reply') throw new Error('a rung above `readable` ran without a reply');
    return read.reply;
  });
  const tools = once(() => declaredTools(request));
  const calls = once(() => reply().tool_calls.map((call) => readCall(call, tools(), engine)));
  const document = once(() => readJsonText(reply().content ?? ''));
  const callInContent = once(() => writtenCall(reply().content ?? '', document));
  const callInReasoning = once(() => {
    const { reasoning } = reply();
    return reasoning === null ? null : writtenCall(reasoning, () => readJsonText(reasoning));
  });
  const value = once(() => valueOf(reply(), calls(), document, expectation));
  return {
    exchange,
    expectation,
    values,
    engine,
    request,
    reading,
    reply,
    tools,
    calls,
    document,
    callInContent,
    callInReasoning,
    value,
  };
}

function valueOf(
  reply: Reply,
  calls: readonly ReadCall[],
  document: () => JsonText,
  { content }: Expectation,
): Json | undefined {
  const first = calls[0];
  if (first !== undefined) return first.kind === 'read' ? first.value : undefined;
  if (content === 'text' || reply.content === null) return reply.content ?? undefined;
  const read = document();
  if (read.kind === 'json') return read.value;
  return content === 'any' ? reply.content : undefined;
}
