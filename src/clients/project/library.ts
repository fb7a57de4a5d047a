export const ecosystems = ['npm', 'pypi', 'go', 'maven'] as const;
export type Ecosystem = (typeof ecosystems)[number];

/** A library that a file of a project names. */
export interface Library {
  readonly ecosystem: Ecosystem;
  /**
   * The name as its registry writes it: npm `@a/b`, PyPI in small letters with `-`, Go without `/v2`, Maven
   * `group:artifact`.
   */
  readonly name: string;
  /** The version, or what the project asks for in the words of its ecosystem; '' for any. */
  readonly version: string;
  /** Whether `version` is the one that is installed. */
  readonly locked: boolean;
  /** The project itself asks for it; false for what others bring along, null where the file does not say. */
  readonly direct: boolean | null;
}

/** PyPI takes `-`, `_` and `.` for the same, and does not look at capitals. */
export const pypiName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** The major version in the path of a Go module is no part of its name. */
export const goName = (path: string): string => path.replace(/\/v\d+$/, '');
