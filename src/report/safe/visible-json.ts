import { hidden } from './escape.js';

/** JSON in which nothing acts on a terminal or hides from the reader, and which reads as the same value. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(hidden, (character) =>
    // The line feeds between the members are the only ones that are not escaped already.
    Array.from({ length: character.length }, (_, unit) => `\\u${code(character, unit)}`).join(''),
  );
}

function code(text: string, unit: number): string {
  return text.charCodeAt(unit).toString(16).padStart(4, '0');
}
