import type { Exchange } from '../chat/exchange.js';
import { objectOf } from '../chat/fields.js';
import { requestKind, type RequestKind } from '../chat/request-kind.js';
import type { Reading, Reply } from '../chat/reply.js';
import { tokenUse, type TokenUse } from '../chat/tokens.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Comparison } from './compared.js';
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

/** By what an answer is judged. */
export interface Judging {
  /** What must come back; nothing is derived from the request. */
  readonly expectation: Expectation;
  /** What the rules of the expectation may refer to. */
  readonly values: JudgeValues;
  /** What the outcome has to tell besides of the reply's documents. */
  readonly comparison?: Comparison;
}

/** What an answer shows of letters beyond ASCII: how they came back damaged, that stated ones came back, or nothing. */
export type BeyondAscii = { readonly how: string } | 'whole' | 'nothing';

/** Everything that a rung may examine: what is given, and by the functions below what is read of it. */
export interface JudgeContext {
  readonly exchange: Exchange;
  readonly expectation: Expectation;
  readonly values: JudgeValues;
  readonly engine: Engine;
  readonly request: JsonObject;
  /** What has been read so far. */
  readonly kept: Kept;
}

/** Each part is read once, when first needed. */
interface Kept {
  reading?: Reading;
  kind?: RequestKind;
  calls?: readonly ReadCall[];
  document?: JsonText;
  callInContent?: WrittenCall | null;
  callInReasoning?: WrittenCall | null;
  beyondAscii?: BeyondAscii;
  tokens?: TokenUse;
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
  return { exchange, expectation, values, engine, request, kept: {} };
}

export function readingOf({ kept, engine, exchange }: JudgeContext): Reading {
  return (kept.reading ??= engine.read(exchange.answer));
}

/** Only for rungs above `readable`. */
export function replyOf(context: JudgeContext): Reply {
  const reading = readingOf(context);
  if (reading.kind !== 'reply') throw new Error('a rung above `readable` ran without a reply');
  return reading.reply;
}

/** The usage that the reply reports. */
export function tokensOf(context: JudgeContext): TokenUse {
  return (context.kept.tokens ??= tokenUse(replyOf(context)));
}

/** What the request asks for. */
export function kindOf({ kept, request }: JudgeContext): RequestKind {
  return (kept.kind ??= requestKind(request));
}

export function callsOf(context: JudgeContext): readonly ReadCall[] {
  return (context.kept.calls ??= replyOf(context).tool_calls.map((call) =>
    readCall(call, kindOf(context).tools, context.engine),
  ));
}

/** The content as JSON. */
export function documentOf(context: JudgeContext): JsonText {
  return (context.kept.document ??= readJsonText(replyOf(context).content ?? ''));
}

/** A call that was written into the content instead of being made; null where there is none. */
export function callInContent(context: JudgeContext): WrittenCall | null {
  return (context.kept.callInContent ??= callIn(context, replyOf(context).content, () => documentOf(context)));
}

/** The same in the reasoning. */
export function callInReasoning(context: JudgeContext): WrittenCall | null {
  const { reasoning } = replyOf(context);
  return (context.kept.callInReasoning ??= callIn(context, reasoning, () => readJsonText(reasoning ?? '')));
}

function callIn(context: JudgeContext, text: string | null, read: () => JsonText): WrittenCall | null {
  return text === null ? null : writtenCall(text, read, [...kindOf(context).tools.keys()]);
}

/** The parsed content, the first call's arguments, or the text. */
export function valueOf(context: JudgeContext): Json | undefined {
  const { content } = context.expectation;
  const reply = replyOf(context);
  const first = callsOf(context)[0];
  if (first !== undefined) return first.kind === 'read' ? first.value : undefined;
  if (content === 'text' || reply.content === null) return reply.content ?? undefined;
  const read = documentOf(context);
  if (read.kind === 'json') return read.value;
  return content === 'any' ? reply.content : undefined;
}
