import { checkOptions, type OptionTable } from '../options/check-options.js';
import { checkOnlyOptions } from '../options/first-argument.js';
import { aFunction, aText, aWhole, type Kind } from '../options/kinds.js';
import type { SeenAnswer } from './http/seen-answer.js';
import type { SeenRequest } from './http/service.js';
import type { ProfileInput } from './profiles/profile-sources.js';

export interface SimulateOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Determines all randomness; default 1. */
  readonly seed?: number;
  /** Further profiles, which may extend those of the package: a folder, a file, YAML text or data, or a list of these. */
  readonly profiles?: ProfileInput | readonly ProfileInput[];
  /** Folder of task texts with the right answers (JSON Lines); default: those of the package. */
  readonly samples?: string;
  /** The time in milliseconds since the epoch; default: the system's clock. */
  readonly now?: () => number;
  /** Called for every request that names a model of the service, before it is answered. */
  readonly onRequest?: (request: SeenRequest) => void;
  /** Called with each answer to a chat completion request, before it is sent. */
  readonly onAnswer?: (answer: SeenAnswer) => void;
  /** How many requests `requests()` keeps, the newest; default 1000. */
  readonly log?: number;
}

export interface SimulatorOptions extends Omit<SimulateOptions, 'profiles'> {
  /** Folder of model profiles (YAML), used instead of the package's. */
  readonly profiles?: string;
}

/** How an override is to be done. */
export interface OverrideOptions {
  /** With so many of the requests that match; default: all. */
  readonly times?: number;
}

const common = {
  port: aWhole(0, 65_535),
  seed: aWhole(0),
  samples: aText,
  now: aFunction,
  onRequest: aFunction,
  onAnswer: aFunction,
  log: aWhole(0),
};
const isProfiles = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value));
const profiles: Kind = {
  words: 'a folder, a file, YAML text, data, or a list of these',
  type: (value) => [value].flat().every(isProfiles),
};
const simulateTable: OptionTable<SimulateOptions> = { ...common, profiles };
const startTable: OptionTable<SimulatorOptions> = { ...common, profiles: aText };
const overrideTable: OptionTable<OverrideOptions> = { times: aWhole(1) };

export function checkSimulateOptions(given: SimulateOptions): void {
  checkOnlyOptions('simulate', given, simulateTable);
}

export function checkSimulatorOptions(given: SimulatorOptions): void {
  checkOnlyOptions('startSimulator', given, startTable);
}

export function checkOverrideOptions(given: OverrideOptions): void {
  checkOptions('`override`', given, overrideTable);
}
