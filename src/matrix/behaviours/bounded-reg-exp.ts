import { withinTime } from '../../judge/schema/time-limit.js';

/** Milliseconds that one match may take. */
const longestMatch = 1000;

/** The regular expressions of JSONata, which a suite may write so that they explode: each match ends in time. */
export class BoundedRegExp extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    return withinTime(longestMatch, () => super.exec(text));
  }
}
