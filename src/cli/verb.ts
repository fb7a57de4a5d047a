import type { Io } from './terminal/io.js';

/** The values of a verb's options, as commander hands them over. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A verb's module: loaded only when the verb is called, so that start-up stays light. */
export interface VerbModule {
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[], options: Options, io: Io) => Promise<number>;
}

export interface Verb {
  /** As commander writes it: `report <RUN>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly (readonly [flags: string, description: string, times?: 'many'])[];
  readonly load: () => Promise<VerbModule>;
}
