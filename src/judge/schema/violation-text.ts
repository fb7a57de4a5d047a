import type { Json } from '../../json/json.js';

/** What breaks `enum`, with the values that it allows. */
export function enumMessage(allowed: readonly Json[]): string {
  return `must be equal to one of the allowed values: ${shorten(JSON.stringify(allowed))}`;
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
