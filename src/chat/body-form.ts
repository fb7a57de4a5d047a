import type { Json } from '../json/json.js';
import { parseJson } from './parse-json.js';

/** What a body contains, judged by the body alone because headers may be wrong. */
type BodyForm =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'events' }
  | { readonly kind: 'html' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly error: string };

const beginsAsEvents = /^(?:data|event|id|retry)[ \t]*:|^:/;
const eventLine = new RegExp(beginsAsEvents.source, 'm');

/** `{`, as nearly every plain answer begins. */
const brace = 123;

const leadingComments = /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)+/;

/** Recognises the form of a body. A stream never parses as JSON, and no line of JSON looks like a line of a stream. */
export function bodyForm(text: string): BodyForm {
  // A byte order mark counts as white space.
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  // Neither JSON nor a page begins like this, and to parse what cannot be JSON makes an error each time.
  if (trimmed.charCodeAt(0) !== brace && beginsAsEvents.test(trimmed)) return { kind: 'events' };
  const parsed = parseJson(trimmed);
  if (parsed.ok) return { kind: 'json', value: parsed.value };
  const page = trimmed.replace(leadingComments, '');
  if (/^<(?:!doctype|html|head|body|center|h1|\?xml[^<]*<(?:!doctype )?html)/i.test(page)) return { kind: 'html' };
  if (!/^[[{]/.test(trimmed) && eventLine.test(trimmed)) return { kind: 'events' };
  return { kind: 'other', error: parsed.error };
}
