import { hidden } from './escape.js';
import { inert } from './runner-commands.js';

/** JSON text with control and hidden characters and commands to a build machine escaped; it parses to the same value. */
export function jsonText(value: unknown, indent = 2): string {
  return inert(JSON.stringify(value, null, indent)).replace(hidden, (character) =>
    // JSON escapes all line feeds but its own between the members.
    Array.from({ length: character.length }, (_, unit) => `\\u${code(character, unit)}`).join(''),
  );
}

function code(text: string, unit: number): string {
  return text.charCodeAt(unit).toString(16).padStart(4, '0');
}
