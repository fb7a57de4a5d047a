import { secretForms } from './secret-forms.js';

/** Replaces a credential. */
export const masked = '***';

/** Masks a text that arrives in pieces, even when a boundary cuts a secret in two. */
export interface StreamMasker {
  /** The masked text so far, without an end that may be the beginning of a secret. */
  push(piece: string): string;
  /** The rest of the masked text. */
  end(): string;
}

export interface Masker {
  /** false when there is nothing to look for. */
  readonly active: boolean;
  mask(text: string): string;
  /** Whether the text contains a secret in any of its spellings. */
  holds(text: string): boolean;
  stream(): StreamMasker;
}

/** At the end of a cut answer, the beginning of a secret is masked as well from this length on. */
const tellingPrefix = 6;

const nothingToMask: Masker = {
  active: false,
  mask: (text) => text,
  holds: () => false,
  stream: () => ({ push: (piece) => piece, end: () => '' }),
};

/** Masks secrets in every spelling of {@link secretForms}. */
export function createMasker(secrets: readonly string[]): Masker {
  const forms = secretForms(secrets);
  if (forms.length === 0) return nothingToMask;
  const pattern = forms.map(escapeRegExp).join('|');
  const anySecret = new RegExp(pattern);
  const everySecret = new RegExp(pattern, 'g');
  const firsts = new Set(forms.map((form) => form.charAt(0)));
  const longest = forms.reduce((most, form) => Math.max(most, form.length), 0);

  const mask = (text: string): string => text.replace(everySecret, masked);

  /** Where a possible beginning of a secret starts at the end of the text; the length of the text when there is none. */
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
