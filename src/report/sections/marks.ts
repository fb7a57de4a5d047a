import type { ChangeKind, State } from '../words/catalogue.js';
import type { Field } from './matrix.js';

/** What tells kinds of change apart without colour. */
export const glyphs: Readonly<Record<ChangeKind, string>> = {
  ...{ gone: '✖', lost: '▼', changed: '◆', new: '●', wire: '⇄', gained: '▲', doubt: '?' },
};

export const stateSigns: Readonly<Record<State, string>> = {
  ...{ reliable: '✓', conditions: '◐', unusable: '✗', unknown: '–' },
};

export const changeSigns: Readonly<Record<NonNullable<Field['change']>, string>> = {
  ...{ worse: '▼', better: '▲', changed: '◆' },
};
