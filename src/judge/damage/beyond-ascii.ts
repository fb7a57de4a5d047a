import type { Json } from '../../json/json.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from '../context.js';
import type { BeyondAscii, Damage } from './damage.js';
import { leftEscaped } from './left-escaped.js';
import { lostLetters, replacement } from './lost-letters.js';
import { beyondAscii, statedBy, textsIn, type NamedText, type Stated } from './stated.js';
import { misread } from './wrong-encoding.js';

/** What an answer shows of letters beyond ASCII. It must have been read as a reply. */
export function beyondAsciiIn(context: JudgeContext): BeyondAscii {
  return (context.kept.beyondAscii ??= find(context));
}

/** The damage of an answer; null where none is seen. */
export function damageIn(context: JudgeContext): Damage | null {
  const shown = beyondAsciiIn(context);
  return typeof shown === 'string' ? null : shown;
}

/** Letters beyond ASCII, escapes, and marks that stand for letters. Most answers have none. */
const possible = /[^\0-\u007f]|\\u|&#|\?/;

function find(context: JudgeContext): BeyondAscii {
  const { content, tool_calls: calls, finish_reason: reason } = replyOf(context);
  const sent = calls.length === 0 ? (content ?? '') : calls.map(({ arguments: args }) => asText(args)).join('\n');
  if (!possible.test(sent)) return 'nothing';
  const texts = textsOf(context);
  const stated = statedBy(context.request, context.values.vars);
  const damage = firstDamage(texts, stated);
  // A model that babbles to its cap may write bytes that are no UTF-8.
  const isBabble = damage?.stated === null && reason === 'length';
  if (damage !== null && !isBabble) return damage;
  return texts.some(({ text }) => sharesLetters(text, stated)) ? 'whole' : 'nothing';
}

function asText(args: Json | undefined): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? '');
}

/** What a client reads: the values of a document or of arguments, else the text. */
function textsOf(context: JudgeContext): readonly NamedText[] {
  const { content, tool_calls: calls, finish_reason: reason } = replyOf(context);
  const whole = (text: string): NamedText => ({
    name: null,
    text: reason === 'length' ? withoutCutLetter(text) : text,
  });
  if (calls.length > 0) {
    return callsOf(context).flatMap((read) =>
      read.kind === 'read' ? textsIn(read.value) : [whole(asText(read.call.arguments))],
    );
  }
  const { content: wanted } = context.expectation;
  const document = wanted === 'json' || wanted === 'object' ? documentOf(context) : null;
  return document?.kind === 'json' ? textsIn(document.value) : [whole(content ?? '')];
}

/** A cap may cut within a letter of several tokens, which is no damage. */
function withoutCutLetter(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === replacement) end -= 1;
  return text.slice(0, end);
}

function firstDamage(texts: readonly NamedText[], stated: Stated): Damage | null {
  for (const { name, text } of texts) {
    if (!possible.test(text)) continue;
    const damage = misread(text, stated) ?? leftEscaped(text, stated) ?? lostLetters(text, name, stated);
    if (damage !== null && !cameWholeAsWell(damage, texts)) return damage;
  }
  return null;
}

/** Whoever writes about damage shows both. Between the chunks of a stream, only some letters are lost. */
function cameWholeAsWell({ stated, came }: Damage, texts: readonly NamedText[]): boolean {
  if (stated === null || came.includes(replacement)) return false;
  return texts.some(({ text }) => text.normalize('NFC').includes(stated.normalize('NFC')));
}

function sharesLetters(text: string, stated: Stated): boolean {
  return beyondAscii.test(text) && lettersOf(text).some((letter) => stated.has(letter));
}

/** More would not show more. */
const mostLetters = 200;

function lettersOf(text: string): readonly string[] {
  return [...new Set(text.normalize('NFC').match(/[^\0-\u007f]/gu) ?? [])].slice(0, mostLetters);
}
