import { firstDisguise, isLetterOrDigit, isSkipped, lowerCase, plainForm } from './characters.js';
import { codeOfName } from './entity-names.js';

/**
 * A text as it is searched for keys: escapes undone, letters in lower case, without white space, invisible characters and
 * backslashes. For each character, the arrays hold where its spelling begins and ends in the original.
 */
export interface Canonical {
  readonly text: string;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** An escape within an escape is undone as well, to this depth. */
const deepest = 3;

export function canonical(text: string): Canonical {
  let now = undone(text);
  for (let round = 1; round < deepest && now.decoded && escapes.test(now.text); round += 1) {
    const next = undone(now.text);
    now = {
      ...{ text: next.text, decoded: next.decoded },
      from: next.from.map((at) => now.from[at] ?? 0),
      to: next.to.map((at) => now.to[at - 1] ?? 0),
    };
  }
  return now;
}

/** The same without anything but letters and digits. */
export function lettersOf({ text, from, to }: Canonical): Canonical {
  const units = new Uint16Array(text.length);
  const kept = { from: new Int32Array(text.length), to: new Int32Array(text.length) };
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (!isLetterOrDigit(unit)) continue;
    units[length] = unit;
    kept.from[length] = from[at] ?? 0;
    kept.to[length] = to[at] ?? 0;
    length += 1;
  }
  return { text: textOf(units, length), from: kept.from.subarray(0, length), to: kept.to.subarray(0, length) };
}

const escapes = /%[0-9a-f]{2}|&#|&[a-z]{2,14};/;
const unicodeEscape =
  /U([0-9a-fA-F]{8})|[uU](?:([0-9a-fA-F]{4})|\{0*([0-9a-fA-F]{1,6})\})|[xX]([0-9a-fA-F]{2})|([01][0-7]{2})/y;
/** Readers of HTML need no semicolon behind a number. */
const entity = /&(?:#x0*([0-9a-f]{1,6});?|#0*(\d{1,7});?|([a-z]{2,14});)/iy;
const percentRun = /(?:%[0-9a-f]{2})+/iy;

function undone(text: string): Canonical & { readonly decoded: boolean } {
  const units = new Uint16Array(text.length);
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  let length = 0;
  let decoded = false;

  const put = (unit: number, start: number, end: number): void => {
    if (isSkipped(unit)) return;
    units[length] = lowerCase(unit);
    from[length] = start;
    to[length] = end;
    length += 1;
  };
  const putCharacter = (code: number, start: number, end: number): void => {
    if (!(code <= 0x10ffff)) return;
    const plain = plainForm(code);
    for (let index = 0; index < plain.length && length < units.length; index += 1) {
      put(plain.charCodeAt(index), start, end);
    }
  };
  /** Writes a decoded character; returns where reading goes on. */
  const putDecoded = (code: number, start: number, end: number): number => {
    decoded = true;
    putCharacter(code, start, end);
    return end;
  };
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const escapeAt = (at: number): number => {
    let end = at;
    while (text.charCodeAt(end) === backslash) end += 1;
    const found = match(unicodeEscape, end);
    if (found === null) return end;
    const [all, long, short, braced, byte, octal] = found;
    const code = octal === undefined ? parseInt(long ?? short ?? braced ?? byte ?? '', 16) : parseInt(octal, 8);
    return putDecoded(code, at, end + all.length);
  };
  const entityAt = (at: number): number => {
    const found = match(entity, at);
    if (found === null) return 0;
    const [all, hex, decimal, name = ''] = found;
    const code = hex === undefined ? Number(decimal ?? codeOfName(name)) : parseInt(hex, 16);
    return Number.isNaN(code) ? 0 : putDecoded(code, at, at + all.length);
  };
  const percentAt = (at: number): number => {
    const [run = ''] = match(percentRun, at) ?? [];
    if (run === '') return 0;
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    // Bytes of ASCII keep their places, so that no more than the key is masked.
    if (bytes.every((byte) => byte < 128)) {
      bytes.forEach((byte, index) => putDecoded(byte, at + index * 3, at + index * 3 + 3));
    } else {
      decoded = true;
      const characters = bytes.toString('utf8');
      for (let index = 0; index < characters.length && length < units.length; index += 1) {
        put(characters.charCodeAt(index), at, at + run.length);
      }
    }
    return at + run.length;
  };

  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const next =
      unit === backslash ? escapeAt(at) : unit === ampersand ? entityAt(at) : unit === percentSign ? percentAt(at) : 0;
    if (next > 0) at = next;
    else if (unit < firstDisguise) {
      put(unit, at, at + 1);
      at += 1;
    } else {
      const code = text.codePointAt(at) ?? unit;
      const end = at + (code > 0xffff ? 2 : 1);
      putCharacter(code, at, end);
      at = end;
    }
  }
  return { text: textOf(units, length), from: from.subarray(0, length), to: to.subarray(0, length), decoded };
}

const backslash = 92;
const ampersand = 38;
const percentSign = 37;

const mostUnits = 8192;

function textOf(units: Uint16Array, length: number): string {
  let text = '';
  for (let at = 0; at < length; at += mostUnits) {
    text += String.fromCharCode(...units.subarray(at, Math.min(length, at + mostUnits)));
  }
  return text;
}
