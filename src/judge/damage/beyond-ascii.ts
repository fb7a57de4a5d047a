import type { Json } from '../../json/json.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from '../context.js';
import type { BeyondAscii, Damage } from './damage.js';
import { leftEscaped } from './left-escaped.js';
import { lostLetters, replacement } from './lost-letters.js';
import { statedBy, textsIn, type NamedText, type Stated } from './stated.js';
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

/**
 * Letters beyond ASCII, escapes, and a "?" within a word; most answers have none, and this is done for each. Quotation marks,
 * dashes and dots of plain English are left out: without a letter before them they are no damage.
 */
const possible = /[^\0-\u007f\u2010-\u2027]|\\u|&#|[a-z]\?+[a-z]/i;
/** A sign of any of it: one class of characters is found several times as fast. */
const anySign = /[&?\\\u0080-\uffff]/;
const mayBeMark = /\?/;

function find(context: JudgeContext): BeyondAscii {
  const { content, tool_calls: calls, finish_reason: reason } = replyOf(context);
  // It may be cut within a letter, and a model that babbles to its cap writes bytes that are no UTF-8.
  if (reason === 'length') return 'nothing';
  const isPossible =
    calls.length === 0 ? maySay(content ?? '', context) : calls.some((call) => maySay(asText(call.arguments), context));
  if (!isPossible) return 'nothing';
  const texts = shortened(textsOf(context));
  const stated = statedBy(context.request, context.values.vars);
  const damage = firstDamage(texts, stated);
  if (damage !== null) return damage;
  return texts.some(({ text }) => stated.sharesLetters(text)) ? 'whole' : 'nothing';
}

function maySay(text: string, { values }: JudgeContext): boolean {
  if (!anySign.test(text)) return false;
  return possible.test(text) || (mayBeMark.test(text) && Object.keys(values.vars).length > 0);
}

function asText(args: Json | undefined): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? '');
}

/** What a client reads: the values of a document or of arguments, else the text. */
function textsOf(context: JudgeContext): readonly NamedText[] {
  const { content, tool_calls: calls } = replyOf(context);
  const whole = (text: string): NamedText => ({ name: null, text });
  if (calls.length > 0) {
    return callsOf(context).flatMap((read) =>
      read.kind === 'read' ? textsIn(read.value) : [whole(asText(read.call.arguments))],
    );
  }
  const { content: wanted } = context.expectation;
  const document = wanted === 'json' || wanted === 'object' ? documentOf(context) : null;
  return document?.kind === 'json' ? textsIn(document.value) : [whole(content ?? '')];
}

/** What a hostile answer holds beyond this shows no more, and would take seconds. */
const [mostTexts, longestText] = [2000, 50_000];

function shortened(texts: readonly NamedText[]): readonly NamedText[] {
  return texts
    .slice(0, mostTexts)
    .map((one) => (one.text.length > longestText ? { ...one, text: one.text.slice(0, longestText) } : one));
}

function firstDamage(texts: readonly NamedText[], stated: Stated): Damage | null {
  for (const { name, text } of texts) {
    if (!possible.test(text) && !mayBeMark.test(text)) continue;
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
