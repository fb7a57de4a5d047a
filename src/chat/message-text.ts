import type { Json, JsonObject } from '../json/json.js';
import { itemsOrEmpty, memberOf, objectOf, own, nonEmptyText } from './fields.js';
import type { Quirk } from './quirks.js';

/** The text-like fields of a message or a delta; null for absent and null. */
interface MessageText {
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly refusal: string | null;
}

/** Reads the texts of a message or a delta: strings, or lists of typed blocks. */
export function messageText(message: JsonObject, note: (quirk: Quirk) => void): MessageText {
  const content = message['content'];
  if (Array.isArray(content)) return textOfBlocks(content as readonly Json[], message, note);
  if (content !== undefined && content !== null && typeof content !== 'string') note('content_unreadable');
  return {
    content: typeof content === 'string' ? content : null,
    reasoning: reasoningText(message, note),
    refusal: nonEmptyText(message['refusal']),
  };
}

function textOfBlocks(blocks: readonly Json[], message: JsonObject, note: (quirk: Quirk) => void): MessageText {
  note('content_blocks');
  const texts: string[] = [];
  const thoughts: string[] = [];
  const refusals: string[] = [];
  for (const item of blocks) {
    if (typeof item === 'string') texts.push(item);
    const block = objectOf(item);
    if (block === null) continue;
    const type = nonEmptyText(block['type']) ?? 'text';
    const text = blockText(block);
    if (/think|reason/.test(type)) {
      thoughts.push(text);
    } else if (type === 'refusal') {
      refusals.push(text);
    } else {
      texts.push(text);
    }
  }
  return {
    content: texts.length > 0 ? texts.join('') : null,
    reasoning: thoughts.length > 0 ? thoughts.join('') : reasoningText(message, note),
    refusal: nonEmptyText(refusals.join('')) ?? nonEmptyText(message['refusal']),
  };
}

/** `reasoning_content`, or the first field of the same meaning that is not empty. */
function reasoningText(message: JsonObject, note: (quirk: Quirk) => void): string | null {
  const usual = message['reasoning_content'];
  if (typeof usual === 'string' && usual !== '') return usual;
  const named = flatOrNested(message['reasoning']) ?? flatOrNested(message['thinking']);
  if (named !== null) {
    note('reasoning_field_named_reasoning');
    return named;
  }
  const nested = nestedText(usual) ?? nestedText(message['reasoning_details']);
  if (nested !== null) note('reasoning_blocks');
  return nested ?? (typeof usual === 'string' ? usual : null);
}

function flatOrNested(value: Json | undefined): string | null {
  return typeof value === 'string' ? nonEmptyText(value) : nestedText(value);
}

function nestedText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) {
    return nonEmptyText(
      (value as readonly Json[]).map((item) => (typeof item === 'string' ? item : blockText(item))).join(''),
    );
  }
  return objectOf(value) === null ? null : nonEmptyText(blockText(value));
}

/** The text inside a block, one level of nesting included: `{thinking: [{text}]}`. */
function blockText(value: Json | undefined): string {
  const block = objectOf(value);
  if (block === null) return '';
  for (const name of ['text', 'thinking', 'content', 'reasoning', 'refusal', 'summary']) {
    const inner = own(block, name);
    if (typeof inner === 'string') return inner;
    const parts = itemsOrEmpty(inner);
    if (parts.length > 0) {
      return parts
        .map((part) => (typeof part === 'string' ? part : (nonEmptyText(memberOf(part, 'text')) ?? '')))
        .join('');
    }
  }
  return '';
}
