import { own } from '../../chat/fields.js';
import { replyOf, tokensOf, type JudgeContext, type RungCheck } from '../context.js';
import { hiddenTokens } from '../../chat/token-use.js';

/** A setting is judged by its effect, not by being accepted. */
export const effect: RungCheck = (context) => {
  if (own(context.request, 'stream') === true && !replyOf(context).streamed) {
    return ineffective('stream was accepted, but the answer came in one piece');
  }
  const { reasoning } = context.expectation;
  if (reasoning === null) return null;
  const evidence = evidenceOfReasoning(context);
  if (reasoning === 'present') {
    return evidence === null ? ineffective(`no sign of reasoning: ${whatWasLookedAt(context)}`) : null;
  }
  if (evidence === null) return null;
  // What other answers of the model count, nobody knows here.
  const otherwise = evidence.isCountOnly ? ', or the usage counts too many tokens' : '';
  return ineffective(`there is reasoning although it should be off${otherwise}: ${evidence.text}`);
};

function whatWasLookedAt(context: JudgeContext): string {
  const { completion, reasoning } = tokensOf(context);
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
  const reply = replyOf(context);
  if ((reply.reasoning ?? '').trim() !== '') return 'the reply carries reasoning text';
  if (/<(?:\w+:)?think(?:ing)?>\s*\S|<\/(?:[\w-]+:)?think(?:ing)?>/i.test(withoutEmptyBlocks(reply.content ?? ''))) {
    return 'the content carries a <think> block';
  }
  const { reasoning } = tokensOf(context);
  return reasoning !== null && reasoning > 0 ? `${reasoning} reasoning tokens` : null;
}

/** Tokens that the usage counts and no text shows; null: none. */
function tokensBeyondText(context: JudgeContext): string | null {
  const use = tokensOf(context);
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
  const { content, tool_calls } = replyOf(context);
  const calls = tool_calls.map(
    ({ name, arguments: args }) => (name ?? '') + (typeof args === 'string' ? args : JSON.stringify(args ?? '')),
  );
  return bytesOf([content ?? '', ...calls].join('')) + 32 + 32 * tool_calls.length;
}

/** In UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
