import type { Deliberate } from '../body/deliberate.js';
import type { Path, Source } from '../files/source.js';

/** Where the parts of a probe are written, for checks of the bodies that its cells send. */
export interface ProbeOrigin {
  readonly source: Source;
  /** Of the probe, from the root of the suite. */
  readonly path: Path;
  /** The suite ships with the package. */
  readonly builtin: boolean;
  /** A part of the request of a step, in the probe or else in the defaults. */
  readonly requestPath: (step: string, below: Path) => Path;
  /** The value of an axis's label. */
  readonly pointPath: (axis: string, label: string) => Path;
  readonly expectPath: (step: string) => Path;
  readonly deliberate: Deliberate;
  /** The build has checked the suite, the schemas of its requests among it. */
  readonly checked: boolean;
  /** It has no request, so nothing is missing in one. */
  readonly asksNothing: boolean;
  /** The probe has an error of its own, of which others may only be consequences. */
  readonly hasErrors: boolean;
}
