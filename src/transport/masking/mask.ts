import { secretForms } from './secret-forms.js';

/** What stands where a credential stood. */
export const masked = '***';

/** Masks a text that arrives in pieces, a secret cut in two by a boundary included. */
export interface StreamMasker {
  /** What may be shown of the text so far; an end that may be the beginning of a secret is kept back. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

export interface Masker {
  /** false when there is nothing to look for. */
  readonly active: boolean;
  mask(text: string): string;
  /** Whether the text holds a secret, in any of its spellings. */
  holds(text: string): boolean;
  stream(): StreamMasker;
}

/** From this length on, the beginning of a secret at the very end of a cut answer is masked as well. */
const tellingPrefix = 6;

const nothingToMask: Masker = {
  active: false,
  mask: (text) => text,
  holds: () => false,
  stream: () => ({ push: (piece) => piece, end: () => '' }),
};

/** Masks the secrets and their base64, percent-encoded and JSON-escaped spellings. */
export function createMasker(secrets: readonly string[]): Masker {
  const forms = secretForms(secrets);
  if (forms.length === 0) return nothingToMask;
  const pattern = forms.map(escapeRegExp).join('|');
  const anySecret = new RegExp(pattern);
  const everySecret = new RegExp(pattern, 'g');
  const firsts = new Set(forms.map((form) => form.charAt(0)));
  const longest = Math.max(...forms.map((form) => form.length));

  const mask = (text: string): string => text.replace(everySecret, masked);

  /** Where the earliest end of the text starts that is the beginning of a secret; its length when there is none. */
  const doubtfulFrom = (text: string): number => {
    for (let from = Math.max(0, text.length - longest + 1); from < text.length; from += 1) {
      if (!firsts.has(text.charAt(from))) continue;
      const end = text.slice(from);
      if (forms.some((form) => form.length > end.length && form.startsWith(end))) return from;
    }
    return text.length;
  };

  const stream = (): StreamMasker => {
    let held = '';
    return {
      push(piece) {
        let rest = held + piece;
        let shown = '';
        for (;;) {
          const doubtful = doubtfulFrom(rest);
          const found = anySecret.exec(rest);
          if (found === null || found.index >= doubtful) {
            held = rest.slice(doubtful);
            return shown + rest.slice(0, doubtful);
          }
          shown += rest.slice(0, found.index) + masked;
          rest = rest.slice(found.index + found[0].length);
        }
      },
      end() {
        const rest = held;
        held = '';
        if (anySecret.test(rest)) return mask(rest);
        return rest.length >= tellingPrefix ? masked : rest;
      },
    };
  };
  return { active: true, mask, holds: (text) => anySecret.test(text), stream };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
