import { isProven, type SharedChange } from '../../../matrix/diff/shared-changes.js';
import { sharedChangeText } from '../../../matrix/shared-failures-text.js';

interface SharedRows {
  readonly title: string;
  readonly kind: 'lost' | 'other';
  readonly rows: readonly (readonly [model: string, change: string])[];
}

/** What spoils a share of all answers of a model on the head's side: no row where there is nothing of the kind. */
export function sharedRows(all: readonly SharedChange[] = []): SharedRows {
  return {
    title: 'More answers fail',
    kind: all.some(isProven) ? 'lost' : 'other',
    rows: all.map((one) => [one.model, `${sharedChangeText(one)}${isProven(one) ? '' : ' (could be chance)'}`]),
  };
}
