import type { Answer } from '../../chat/exchange.js';
import { itemsOrEmpty, memberOf, objectOf, own } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import { isObject, type Json } from '../../json/json.js';
import { recordedAnswer } from './recorded-answer.js';
import { firstMember } from './recorded-pair.js';

/**
 * The answers in a text: the text of a body, with or without the head of HTTP that `curl -i` prints; or one document a
 * line. null for one that is no answer.
 */
export function answersInText(text: string): readonly (Answer | null)[] {
  const head = /^HTTP\/[\d.]+ \d{3}/.test(text) ? withoutHead(text) : null;
  if (head !== null) return [{ ...head, failure: null }];
  const whole = parseJson(text.trim());
  if (whole.ok) return [answerIn(whole.value)];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return [recordedAnswer(text)];
  const read = lines.map((line) => parseJson(line));
  const values = read.flatMap((one) => (one.ok ? [one.value] : []));
  if (values.length < lines.length) return [recordedAnswer(text)];
  return values.every(isChunk) ? [recordedAnswer(values)] : values.map(answerIn);
}

/** An answer may stand in a record that says more. */
function answerIn(value: Json): Answer | null {
  const holder = objectOf(value);
  const inner = holder === null || 'choices' in holder ? undefined : firstMember(holder, ['answer', 'response']);
  return recordedAnswer(inner ?? value);
}

function isChunk(value: Json): boolean {
  if (!isObject(value)) return false;
  const choices = itemsOrEmpty(own(value, 'choices'));
  return (
    own(value, 'object') === 'chat.completion.chunk' || choices.some((one) => memberOf(one, 'delta') !== undefined)
  );
}

/** The last of the heads: a proxy, a redirect and `100 Continue` have heads of their own. */
function withoutHead(text: string): Pick<Answer, 'status' | 'headers' | 'body'> | null {
  const [, status = '', fields = '', rest = ''] =
    /^HTTP\/[\d.]+ (\d{3})[^\n]*\n((?:[^\s:]+:[^\n]*\n)*)\r?\n?([\s\S]*)$/.exec(text) ?? [];
  if (status === '') return null;
  const further = /^HTTP\/[\d.]+ \d{3}/.test(rest) ? withoutHead(rest) : null;
  if (further !== null) return further;
  const headers = fields.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === '' ? [] : [[name.toLowerCase(), value] as const];
  });
  return { status: Number(status), headers: Object.fromEntries(headers), body: rest === '' ? [] : [rest] };
}
