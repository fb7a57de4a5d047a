import type { Exchange } from '../chat/exchange.js';
import { objectOf } from '../chat/fields.js';
import { requestKind, type RequestKind } from '../chat/request-kind.js';
import type { Reading, Reply } from '../chat/reply.js';
import { tokenUse, type TokenUse } from '../chat/tokens.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Comparison } from './compared.js';
import type { Engine, Expectation } from './expectation.js';
import { readCall, writtenCall } from './json/read-call.js';
import { readJsonText } from './json/wrapped-json.js';
import type { Outcome, Rung } from './outcome.js';

/** Names that rules may use besides the answer. */
export interface JudgeValues {
  readonly vars: JsonObject;
  /** The body as sent. */
  readonly request: Json;
  /** Results of a flow's earlier steps. */
  readonly steps: JsonObject;
}

/** By what an answer is judged. */
export interface Judging {
  /** The whole demand; nothing is derived from the request. */
  readonly expectation: Expectation;
  /** Values for the rules of the expectation. */
  readonly values: JudgeValues;
  /** Comparisons of the reply's documents that the outcome shall hold. */
  readonly comparison?: Comparison;
}

/** Everything that a rung may examine: what is given, and what is read of it, each part once, when first needed. */
export interface JudgeContext {
  readonly exchange: Exchange;
  readonly expectation: Expectation;
  readonly values: JudgeValues;
  readonly engine: Engine;
  readonly request: JsonObject;
  readonly reading: Reading;
  /** Only for rungs above `readable`. */
  readonly reply: Reply;
  /** The usage that the reply reports. */
  readonly tokens: TokenUse;
  /** The wishes of the request. */
  readonly kind: RequestKind;
  readonly calls: readonly ReturnType<typeof readCall>[];
  /** The content as JSON. */
  readonly document: ReturnType<typeof readJsonText>;
  /** A call that was written into the content instead of being made; null where there is none. */
  readonly callInContent: ReturnType<typeof writtenCall>;
  /** The same in the reasoning. */
  readonly callInReasoning: ReturnType<typeof writtenCall>;
  /** The parsed content, the first call's arguments, or the text. */
  readonly value: Json | undefined;
}

/** The report of a failing rung; the ladder adds the rest. */
export type Failure = Pick<Outcome, 'class' | 'detail'> &
  Partial<Pick<Outcome, 'fault' | 'reason' | 'violations' | 'flaw' | 'clue'>> & {
    /** The highest rung the answer still reached. */
    readonly rung: Rung | null;
  };

/** A rung of the ladder; null when the answer passes it. */
export type RungCheck = (context: JudgeContext) => Failure | null;

export function judgeContext(exchange: Exchange, { expectation, values }: Judging, engine: Engine): JudgeContext {
  const request = objectOf(values.request) ?? objectOf(exchange.request.body) ?? {};
  const kept: { -readonly [Part in keyof JudgeContext]?: JudgeContext[Part] } = {};
  const callIn = (text: string | null, read: () => JudgeContext['document']) =>
    text === null ? null : writtenCall(text, read, [...context.kind.tools.keys()]);
  const context: JudgeContext = {
    exchange,
    expectation,
    values,
    engine,
    request,
    get reading() {
      return (kept.reading ??= engine.read(exchange.answer));
    },
    get reply() {
      if (context.reading.kind === 'reply') return context.reading.reply;
      throw new Error('a rung above `readable` ran without a reply');
    },
    get tokens() {
      return (kept.tokens ??= tokenUse(context.reply));
    },
    get kind() {
      return (kept.kind ??= requestKind(request));
    },
    get calls() {
      return (kept.calls ??= context.reply.tool_calls.map((call) => readCall(call, context.kind.tools, engine)));
    },
    get document() {
      return (kept.document ??= readJsonText(context.reply.content ?? ''));
    },
    get callInContent() {
      return (kept.callInContent ??= callIn(context.reply.content, () => context.document));
    },
    get callInReasoning() {
      const { reasoning } = context.reply;
      return (kept.callInReasoning ??= callIn(reasoning, () => readJsonText(reasoning ?? '')));
    },
    get value() {
      const { content } = context.reply;
      const [first] = context.calls;
      if (first !== undefined) return first.kind === 'read' ? first.value : undefined;
      if (expectation.content === 'text' || content === null) return content ?? undefined;
      if (context.document.kind === 'json') return context.document.value;
      return expectation.content === 'any' ? content : undefined;
    },
  };
  return context;
}
