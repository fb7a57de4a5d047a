import { parseJson } from '../parse-json.js';

/** A JSON text that arrives in pieces. Telling whether it is complete costs no more in all than reading it once. */
export interface JsonProgress {
  readonly add: (piece: string) => void;
  readonly text: () => string;
  /** Whether the text so far is empty, or one whole JSON value. */
  readonly isComplete: () => boolean;
}

/** A longer number is none that anybody sends, and looking at it again with every digit would take quadratic time. */
const longestScalar = 400;

type Place =
  | 'before'
  /** In a string, a list or an object. */
  | 'inside'
  /** In a number or a word. */
  | 'scalar'
  /** Behind the value: only blanks may follow. */
  | 'after'
  /** Whatever follows, this will not become JSON. */
  | 'broken';

export function jsonProgress(): JsonProgress {
  const pieces: string[] = [];
  /** How many pieces have been looked at; they wait until somebody asks. */
  let seen = 0;
  let place: Place = 'before';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let scalar = '';
  /** Behind the value: whether it was JSON. null: nobody has asked yet. */
  let parsed: boolean | null = null;

  const look = (char: string): void => {
    if (inString) {
      if (escaped) escaped = false;
      else if (char === '\\') escaped = true;
      else if (char === '"') {
        inString = false;
        if (depth === 0) place = 'after';
      }
      return;
    }
    const isBlank = char === ' ' || char === '\n' || char === '\t' || char === '\r';
    if (place === 'after') {
      if (!isBlank) place = 'broken';
    } else if (place === 'scalar') {
      if (isBlank) place = 'after';
      else if (scalar.length === longestScalar) place = 'broken';
      else scalar += char;
    } else if (char === '"') {
      inString = true;
      place = 'inside';
    } else if (char === '{' || char === '[') {
      depth++;
      place = 'inside';
    } else if (char === '}' || char === ']') {
      depth--;
      place = depth > 0 ? 'inside' : depth === 0 ? 'after' : 'broken';
    } else if (place === 'before' && !isBlank) {
      place = 'scalar';
      scalar = char;
    }
  };

  return {
    add: (piece) => {
      if (piece !== '') pieces.push(piece);
    },
    text: () => pieces.join(''),
    isComplete: () => {
      for (; seen < pieces.length; seen++) {
        const piece = pieces[seen] ?? '';
        for (let at = 0; at < piece.length && place !== 'broken'; at++) look(piece.charAt(at));
      }
      switch (place) {
        case 'before':
          return pieces.length === 0;
        case 'scalar':
          return parseJson(scalar).ok;
        case 'after':
          return (parsed ??= parseJson(pieces.join('')).ok);
        case 'inside':
        case 'broken':
          return false;
      }
    },
  };
}
