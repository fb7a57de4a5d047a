import type { Problem } from '../../files/problems/problem.js';
import { problemAt, type ProblemOptions } from '../../files/problems/problem-at.js';
import type { Path, Source } from '../../files/source.js';
import type { ProbeFile } from '../suite-file.js';

/** A probe as its file has it, and where it is in that file. */
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
  { source, path }: Pick<ProbeSource, 'source' | 'path'>,
  below: Path,
  message: string,
  hint?: string,
  options?: ProblemOptions,
): Problem {
  return problemAt(source, [...path, ...below], message, hint, options);
}
