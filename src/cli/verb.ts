import type { Command } from 'commander';
import type { FailOn } from '../matrix/run-exit-code.js';
import type { Profile } from '../plan/ticket.js';
import type { Io } from './terminal/io.js';

/** The values of a verb's options, as commander hands them over. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Loaded only when the verb is called, so that start-up stays light. Resolves to the exit code. */
export type RunVerb = (args: readonly string[], options: Options, io: Io, command: Command) => Promise<number>;

/** An option, with what it may hold: one of a few words, or a list that may be given several times. */
export type VerbOption = readonly [flags: string, description: string, takes?: 'many' | readonly string[]];

export interface Verb {
  /** As commander writes it: `report <RUN>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly VerbOption[];
  /** Command lines that somebody would type. */
  readonly examples: readonly [string, ...string[]];
  /** Exit codes with what they mean. */
  readonly exits: readonly (readonly [code: number | 'N', meaning: string])[];
  readonly load: () => Promise<{ readonly run: RunVerb }>;
}

/** Words of which an option or an argument takes one. Errors, help and completion read them here. */
export const profiles: readonly Profile[] = ['smoke', 'standard', 'certify'];
export const failOnWords: readonly FailOn[] = ['deviation', 'regression', 'fail', 'never'];
export const shapesFailOn = ['shape', 'unsupported', 'any'] as const;
export const clientsFailOn = ['wrong', 'throws', 'never'] as const;
export const mapForms = ['map', 'litellm', 'models.dev'] as const;
export const diffFormats = ['terminal', 'md', 'json'] as const;
export const shells = ['bash', 'zsh', 'fish'] as const;

/** By verb, what its first argument may be. */
export const actions = {
  baseline: ['accept'],
  capabilities: ['export', 'compare'],
  clients: ['try'],
  shapes: ['record', 'check', 'to-suite'],
  completion: shells,
} as const;
