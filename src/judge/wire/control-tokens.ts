import { isCallToken } from '../json/read-call.js';

/**
 * Tokens by which chat templates mark turns and ends: `<|im_end|>`, `<|assistant|>`, `[INST]`, `<<SYS>>`,
 * `<end_of_turn>`, `<eos>`. Those that announce a call are another quirk.
 */
const controlToken = new RegExp(
  [
    String.raw`<[|｜][\w▁.:/-]{1,40}[|｜]>`,
    String.raw`\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\]`,
    '<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>',
  ].join('|'),
  'g',
);

/** HTML strikes a text through with a pair of these; a template begins and ends it with one. */
const openingStrike = /<s>/g;
const closingStrike = /<\/s>/g;

/** A text about a template quotes its tokens as code. */
const quotedCode = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`/g;

/**
 * Whether a text carries tokens of a chat template, which a service takes out of its answers.
 * @param asked the request as text: a token that it holds is spoken of, or repeated as asked
 */
export function holdsControlTokens(content: string, asked: () => string): boolean {
  if (!/[<[]/.test(content)) return false;
  const text = content.replaceAll(quotedCode, '');
  const tokens = [...text.matchAll(controlToken)].map(([token]) => token).filter((token) => !isCallToken(token));
  const [opened, closed] = [countOf(text, openingStrike), countOf(text, closingStrike)];
  const ends = closed > opened ? ['</s>'] : [];
  const begins = closed < opened && /^\s*<s>/.test(text) ? ['<s>'] : [];
  return [...new Set([...tokens, ...ends, ...begins])].some((token) => !asked().includes(token));
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
