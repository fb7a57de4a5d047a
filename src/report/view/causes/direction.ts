import type { Deviation } from '../../../matrix/standing/deviations.js';

/** What a deviation means for people: whether something is worse, better, or only different. */
export type Direction = 'lost' | 'gone' | 'changed' | 'new' | 'wire' | 'gained';

export interface DirectionMark {
  /** Tells the directions apart without colour. */
  readonly glyph: string;
  readonly title: string;
  /** Good news must not look like an alarm. */
  readonly tone: 'bad' | 'good' | 'open';
  /** "2 cells lost": what is counted, one and several of it. */
  readonly counted: readonly [one: string, several: string];
}

/** In the order in which reports show them: what hurts comes first, with its evidence, and good news last. */
export const directions: Readonly<Record<Direction, DirectionMark>> = {
  lost: { glyph: '▼', title: 'lost', tone: 'bad', counted: ['cell lost', 'cells lost'] },
  gone: { glyph: '✖', title: 'gone', tone: 'bad', counted: ['model gone', 'models gone'] },
  changed: {
    glyph: '◆',
    title: 'changed',
    tone: 'open',
    counted: ['cell fails differently', 'cells fail differently'],
  },
  new: { glyph: '●', title: 'new', tone: 'open', counted: ['new cell does not pass', 'new cells do not pass'] },
  wire: { glyph: '⇄', title: 'wire', tone: 'open', counted: ['change of the wire', 'changes of the wire'] },
  gained: { glyph: '▲', title: 'gained', tone: 'good', counted: ['cell gained', 'cells gained'] },
};

export const directionNames = Object.keys(directions) as readonly Direction[];

export function directionOf(kind: Deviation['kind']): Direction {
  switch (kind) {
    case 'regression':
      return 'lost';
    case 'improvement':
      return 'gained';
    case 'changed':
    case 'new':
    case 'gone':
    case 'wire':
      return kind;
  }
}
