import { isLoadStatus, isSuccess, type ConnectionFault, type TransportFailure } from '../../chat/exchange.js';
import { own } from '../../chat/fields.js';
import type { Reading, Reply } from '../../chat/reply.js';
import { hiddenTokens } from '../../chat/tokens.js';
import { type Json, writtenJson } from '../../json/json.js';
import { urlOf } from '../../json/url-of.js';
import { answerFacts } from '../answer-facts.js';
import { type RungCheck, type JudgeContext, type Failure } from '../context.js';
import type { Check, Rule, ruleRoots } from '../expectation.js';
import type { Evaluated } from '../jsonata/jsonata-engine.js';
import { isFaultReason, needsControl, type Violation } from '../outcome.js';
import { errorOfAnswer } from '../refusals/classify.js';
import { conforms, parses } from './conforms.js';
import { finishReason, presence } from './presence.js';

/** A setting is judged by its effect, not by being accepted. */
const effect: RungCheck = (context) => {
  if (context.kind.stream && !context.reply.streamed) {
    return ineffective('stream was accepted, but the answer came in one piece');
  }
  const { reasoning } = context.expectation;
  if (reasoning === null) return null;
  const evidence = evidenceOfReasoning(context);
  if (reasoning === 'present') {
    return evidence === null ? ineffective(`no sign of reasoning: ${whatWasLookedAt(context)}`) : null;
  }
  if (evidence === null) return null;
  // Nobody knows here how the other answers of the model are counted.
  const otherwise = evidence.isCountOnly ? ', or the usage counts too many tokens' : '';
  return ineffective(`there is reasoning although it should be off${otherwise}: ${evidence.text}`);
};

function whatWasLookedAt(context: JudgeContext): string {
  const { completion, reasoning } = context.tokens;
  if (completion === null && reasoning === null) return 'no text, and no usage that would count reasoning tokens';
  if (completion === null) return 'no text and no reasoning tokens';
  return 'no text, no reasoning tokens, no tokens beyond the text';
}

function ineffective(detail: string) {
  return { class: 'ineffective', rung: 'correct', detail } as const;
}

interface ReasoningEvidence {
  readonly text: string;
  /** Only the usage shows it, by tokens that nobody sees. */
  readonly isCountOnly: boolean;
}

/** The evidence of reasoning; null where there is none. */
function evidenceOfReasoning(context: JudgeContext): ReasoningEvidence | null {
  const seen = seenReasoning(context);
  if (seen !== null) return { text: seen, isCountOnly: false };
  const counted = tokensBeyondText(context);
  return counted === null ? null : { text: counted, isCountOnly: true };
}

function seenReasoning(context: JudgeContext): string | null {
  const reply = context.reply;
  if ((reply.reasoning ?? '').trim() !== '') return 'the reply carries reasoning text';
  if (/<(?:\w+:)?think(?:ing)?>\s*\S|<\/(?:[\w-]+:)?think(?:ing)?>/i.test(withoutEmptyBlocks(reply.content ?? ''))) {
    return 'the content carries a <think> block';
  }
  const { reasoning } = context.tokens;
  return reasoning !== null && reasoning > 0 ? `${reasoning} reasoning tokens` : null;
}

/** Tokens that the usage counts and no text shows; null: none. */
function tokensBeyondText(context: JudgeContext): string | null {
  const use = context.tokens;
  const hidden = hiddenTokens(use);
  if (hidden > 0) return `${hidden} tokens of the total are neither prompt nor completion`;
  const most = mostVisibleTokens(context);
  if (use.completion !== null && use.completion > most) {
    return `${use.completion} completion tokens for a text of at most ${most}`;
  }
  return null;
}

function withoutEmptyBlocks(text: string): string {
  return text.replaceAll(/<(\w+:)?think(?:ing)?>\s*<\/(?:\w+:)?think(?:ing)?>/gi, '');
}

/**
 * The most tokens that the visible text may have taken: one per byte, as a small vocabulary needs, and some for the
 * markup around an answer and its calls. One per two bytes would do for most services, but a model without any thinking
 * has been seen to spend 262 tokens on 450 bytes.
 */
function mostVisibleTokens(context: JudgeContext): number {
  const { content, tool_calls } = context.reply;
  const calls = tool_calls.map(
    ({ name, arguments: args }) => (name ?? '') + (typeof args === 'string' ? args : writtenJson(args ?? '')),
  );
  const bytes = new TextEncoder().encode([content ?? '', ...calls].join('')).length;
  return bytes + 32 + 32 * tool_calls.length;
}

/** A 2xx must contain a readable choice, and a stream must be complete. */
const readable: RungCheck = (context) => {
  const reading = context.reading;
  switch (reading.kind) {
    case 'error':
      return errorFailure(context);
    case 'malformed':
      return {
        class: 'malformed_response',
        rung: 'accepted',
        detail: reading.detail,
        ...(reading.hasChoices === true && { clue: { kind: 'broken_completion' } }),
      };
    case 'unread':
      // Caught by `judge`, which makes it the outcome of this answer.
      throw reading.error;
    case 'reply': {
      if (reading.reply.ending === 'open') {
        const detail = 'the stream was cut: it ended with neither a finish_reason nor [DONE]';
        return { class: 'transport', fault: true, rung: 'accepted', detail };
      }
      return unaskedStream(context, reading.reply);
    }
  }
};

/** The error that an answer is or holds; load is a fault, whatever its words. */
function errorFailure({ exchange: { answer }, request }: JudgeContext): Failure | null {
  const error = errorOfAnswer(request, answer);
  const code = answer.status ?? 0;
  if (error === null) return null;
  const fault =
    code >= 500 || isLoadStatus(code) || isFaultReason(error.reason) || needsControl({ ...error, status: code });
  return error.class === 'http_error'
    ? { ...error, rung: null, fault }
    : { ...error, rung: 'accepted', fault, detail: `an error inside a ${code}: ${error.detail}` };
}

/** A client that asked for one JSON body cannot read events. */
function unaskedStream({ request }: JudgeContext, { streamed }: Reply): Failure | null {
  if (!streamed || own(request, 'stream') === true) return null;
  return {
    class: 'malformed_response',
    rung: 'accepted',
    detail: 'the answer is a stream of events, which the request did not ask for',
  };
}

/**
 * A value that conforms must also satisfy the client's own rules. Those about values come before those about the effect
 * of a setting, as they do on the ladder.
 */
const rules: RungCheck = (context) => {
  if (context.expectation.rules.length === 0) return null;
  const answers = ruleAnswers(context);
  const broken = brokenRules(context.expectation.rules, answers);
  const wrong = broken.filter((rule) => rule.class === undefined);
  const [first] = wrong.length > 0 ? wrong : broken;
  if (first === undefined) return inexactRule(context.expectation.rules, answers);
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
  return {
    class: first.class ?? 'rule_violation',
    rung: first.class === undefined ? 'conforms' : 'correct',
    violations: broken.map(({ at, message }) => ({ at, message })),
    detail: `broken rule ${first.at}: ${first.message}${more}`,
  };
};

type BrokenRule = Violation & Pick<Rule, 'class'>;

function ruleAnswers(context: JudgeContext): readonly Evaluated[] {
  const { rules: asked } = context.expectation;
  const { vars, request, steps } = context.values;
  const reply = context.reply as unknown as Json;
  const value = context.value;
  const roots = { vars, request, reply, steps } satisfies Partial<Record<(typeof ruleRoots)[number], Json>>;
  return context.engine.evaluate(asked, { ...(value !== undefined && { value }), ...roots }, () =>
    answerFacts(context.exchange, context.reply.streamed),
  );
}

function brokenRules(asked: readonly Rule[], answers: readonly Evaluated[]): BrokenRule[] {
  return asked.flatMap((rule, index) => {
    const answer = answers[index];
    const text = isInexact(answer) ? null : whyBroken(rule, answer);
    return text === null
      ? []
      : [{ at: rule.id, message: text, ...(rule.class !== undefined && { class: rule.class }) }];
  });
}

const isInexact = (answer: Evaluated | undefined): boolean => answer?.ok === false && answer.inexact === true;

/** A rule that cannot be decided exactly says nothing about the model, and no class stands for it. */
function inexactRule(asked: readonly Rule[], answers: readonly Evaluated[]): Failure | null {
  const index = answers.findIndex(isInexact);
  const [rule, answer] = [asked[index], answers[index]];
  if (rule === undefined || answer?.ok !== false) return null;
  return {
    class: null,
    fault: true,
    rung: 'conforms',
    detail: `rule ${rule.id} could not be checked: ${answer.error}`,
  };
}

/** In words; null where the rule holds. */
function whyBroken({ assert, message }: Rule, answer: Evaluated | undefined): string | null {
  if (answer?.ok !== true) return `${message ?? assert} (error: ${answer?.error ?? 'no answer'})`;
  return answer.value === true ? null : (message ?? `${assert} is not true`);
}

/** Whether a stream came to its [DONE]: a connection that breaks after it loses nothing. */
function isDone(reading: Reading): boolean {
  if (reading.kind !== 'reply') return false;
  return reading.reply.ending === 'finish_reason_and_done' || reading.reply.ending === 'done_only';
}

/** A whole answer must arrive. */
const transport: RungCheck = (context) => {
  const { status, failure } = context.exchange.answer;
  // The whole body came, and no client can read it.
  const isWhole = failure?.kind === 'bad_encoding' && status !== null;
  if (failure !== null && !isWhole && !(isSuccess(status) && isDone(context.reading))) {
    const fault = connectionFaultOf(failure);
    const clue = fault === null ? undefined : ({ kind: 'connection', fault } as const);
    return { class: 'transport', fault: true, rung: null, detail: failure.message, ...(clue && { clue }) };
  }
  if (status === null) return { class: 'transport', fault: true, rung: null, detail: 'no status line came' };
  return null;
};

/** A failure that an older version recorded has only its kind. */
function connectionFaultOf({ kind, connection }: TransportFailure): ConnectionFault | null {
  if (connection !== undefined) return connection;
  if (kind === 'connection_refused') return 'refused';
  return kind === 'dns' ? 'unknown_host' : null;
}

/** Any status other than a 2xx is an error, whatever its body contains. */
const status: RungCheck = (context) => {
  const { status: code } = context.exchange.answer;
  if (code === null || isSuccess(code)) return null;
  const redirect = redirectOf(context.exchange);
  if (redirect === null) return errorFailure(context);
  return { class: 'http_error', reason: 'gateway', detail: redirect, rung: null, fault: true };
};

/** Where an answer sends the client, in words; null where it does not. Nobody follows it, since the key would go along. */
function redirectOf({ request, answer: { status: code, headers } }: JudgeContext['exchange']): string | null {
  const location = headers['location'];
  if (code === null || code < 300 || code > 399 || location === undefined || location === '') return null;
  const to = urlOf(location, request.url)?.href ?? location;
  const base = to.endsWith(endpoint) ? to.slice(0, -endpoint.length) : null;
  return `answers ${code} to ${to}${base === null ? '' : `; enter ${base}`}`;
}

const endpoint = '/chat/completions';

export const ladder: Readonly<Record<Check, RungCheck>> = {
  transport,
  status,
  readable,
  finish_reason: finishReason,
  presence,
  json: parses,
  schema: conforms,
  rules,
  effect,
};
