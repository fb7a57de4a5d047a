import type { Problem } from '../../files/problems/problem.js';
import { problemAt, type ProblemOptions } from '../../files/problems/problem-at.js';
import type { Path, Source } from '../../files/source.js';
import type { ProbeFile } from '../suite-file.js';

/** A probe as written, with where it stands: what every check of it starts from. */
export interface ProbeSource {
  readonly source: Source;
  /** Of the probe, from the root of the suite. */
  readonly path: Path;
  readonly suite: string;
  readonly name: string;
  readonly written: ProbeFile;
}

/** A problem at a path below the probe. */
export function probeProblem(
  { source, path }: ProbeSource,
  below: Path,
  message: string,
  hint?: string,
  options?: ProblemOptions,
): Problem {
  return problemAt(source, [...path, ...below], message, hint, options);
}

export function warn(probe: ProbeSource, below: Path, message: string, hint?: string): Problem {
  return probeProblem(probe, below, message, hint, { severity: 'warning' });
}
