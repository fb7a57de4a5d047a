import { excerpt } from '../../chat/excerpt.js';

/** A text that came back otherwise than it was stated. */
export interface Damage {
  /** null: nobody knows. */
  readonly stated: string | null;
  readonly came: string;
  /** In a few words. */
  readonly how: string;
}

/** What an answer shows of letters beyond ASCII: damage, or that stated ones came back, or nothing. */
export type BeyondAscii = Damage | 'whole' | 'nothing';

/** In a sentence; control characters are spelled out. */
export function damageText({ stated, came, how }: Damage): string {
  const was = stated === null ? '' : `${shown(stated)} as `;
  return `text came back damaged: ${was}${shown(came)} (${how})`;
}

function shown(text: string): string {
  const control = /[\u007f-\u009f]/g;
  return JSON.stringify(excerpt(text, 60)).replace(control, (one) => `\\x${one.charCodeAt(0).toString(16)}`);
}
