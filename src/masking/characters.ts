/** Below it there is no letter in disguise and no invisible character of two units. */
export const firstDisguise = 0x2460;

/** The character, or what stands for it where it is a letter in disguise (wide, in a circle, of mathematics) or not seen. */
export function plainForm(code: number): string {
  const character = String.fromCodePoint(code);
  if (code < firstDisguise) return character;
  if (code > 0xffff && invisible.test(character)) return '';
  return disguise.test(character) ? character.normalize('NFKC') : character;
}

const disguise = /[\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f149}]/u;

/** White space, control characters, and what is not seen. */
export function isSkipped(unit: number): boolean {
  if (unit <= 32) return true;
  if (unit < 127) return false;
  if (unit <= 160 || unit === 0xad) return true;
  if (unit < 0x0300) return false;
  // Accents that stand on the letter before them; a blank of Braille.
  if (unit <= 0x036f || unit === 0x2800) return true;
  return invisible.test(String.fromCharCode(unit));
}

const invisible = /[\s\p{Default_Ignorable_Code_Point}]/u;

export function lowerCase(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit + 32;
  if (unit < 128) return unit;
  const lower = String.fromCharCode(unit).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/** Of a character in lower case. */
export function isLetterOrDigit(unit: number): boolean {
  return unit >= 128 || (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}
