import { fileURLToPath } from 'node:url';
import { didYouMean } from '../files/problems/nearest.js';
import { userError } from '../files/problems/problem.js';
import { isObject } from '../json/json.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aFunction, aText, aWhole, type OptionKind } from '../options/kinds.js';
import { knownTasksIn } from './answers/known-tasks.js';
import { knownPicturesIn } from './answers/pictures.js';
import { createOverrides, type Match } from './faults/overrides.js';
import { replayedAnswersIn } from './faults/response-actions.js';
import { createRequestLog, type LoggedRequest } from './http/request-log.js';
import type { SeenAnswer } from './http/response.js';
import { openServer } from './http/server.js';
import { createService, type SeenRequest } from './http/service.js';
import { loadProfiles, ownProfiles, type ProfileInput } from './profiles/load-profiles.js';
import type { Do } from './profiles/profile.js';

export interface SimulateOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Determines all randomness; default 1. */
  readonly seed?: number;
  /**
   * Further profiles, which may extend those of the package: a folder, a file, YAML text or data, or a list of these.
   */
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

const commonOptions = {
  port: aWhole(0, 65_535),
  seed: aWhole(0),
  samples: aText,
  now: aFunction,
  onRequest: aFunction,
  onAnswer: aFunction,
  log: aWhole(0),
};
const profiles: OptionKind = {
  words: 'a folder, a file, YAML text, data, or a list of these',
  type: (value) => [value].flat().every((one: unknown) => typeof one === 'string' || isObject(one)),
};
const simulateTable: OptionTable<SimulateOptions> = { ...commonOptions, profiles };
const startTable: OptionTable<SimulatorOptions> = { ...commonOptions, profiles: aText };
const overrideTable: OptionTable<OverrideOptions> = { times: aWhole(1) };

export interface SimulatorStats {
  /** Chat completion requests, also those for unknown models. */
  readonly requests: number;
  /** By model id; without unknown models. */
  readonly byModel: Readonly<Record<string, number>>;
  readonly inFlight: number;
  /** The most requests in flight at the same time. */
  readonly peakInFlight: number;
}

export interface Simulator {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ids, in the order of the profiles. */
  readonly models: readonly string[];
  readonly stats: () => SimulatorStats;
  /** The requests so far, oldest first, also those to other paths. */
  readonly requests: () => readonly LoggedRequest[];
  /** Empties the list of requests. */
  readonly clear: () => void;
  /** Does this, in the language of profiles, with the next request that no earlier override takes. */
  readonly next: (what: Do) => void;
  /**
   * Does this with the requests that match, before any fault of their model, and for so many of them (default: all).
   * Returns how to take it back. Throws a UserError for what the language of profiles does not have and for a model
   * that is not there, and a TypeError or RangeError for options that are not.
   */
  readonly override: (match: Match, what: Do, options?: OverrideOptions) => () => void;
  /**
   * Lets this model answer every request from now on, whatever model it names; null: the one that it names, as in the
   * beginning. Throws a UserError for a model that is not there.
   */
  readonly answerAs: (model: string | null) => void;
  /**
   * Makes it as if it had just started: no requests, no overrides, and the same requests get the same answers again.
   */
  readonly reset: () => void;
  /** Also cuts the requests that are still in flight. */
  readonly close: () => Promise<void>;
}

const fixtures = new URL('../../fixtures/', import.meta.url);

/**
 * Starts the embedded service on loopback, with the package's models and those of `profiles`. Rejects with a UserError
 * when a profile is invalid, a TypeError or RangeError for an option that is, and the system's error when the port is
 * taken.
 */
export async function simulate(options: SimulateOptions = {}): Promise<Simulator> {
  checkOptions('`simulate`', options, simulateTable);
  return start([ownProfiles, ...[options.profiles ?? []].flat()], options);
}

/** Starts the service like {@link simulate}, but `profiles` take the place of the package's. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkOptions('`startSimulator`', options, startTable);
  return start([options.profiles ?? ownProfiles], options);
}

async function start(inputs: readonly ProfileInput[], options: Omit<SimulateOptions, 'profiles'>): Promise<Simulator> {
  const samples = options.samples ?? fileURLToPath(new URL('samples/', fixtures));
  const { profiles, folders } = await loadProfiles(inputs);
  const log = createRequestLog(options.log ?? 1000);
  const overrides = createOverrides();
  const byModel = new Map<string, number>();
  let answering: string | null = null;
  const service = createService({
    profiles,
    findTask: knownTasksIn(samples),
    findPicture: knownPicturesIn(fileURLToPath(new URL('pictures/', fixtures))),
    // A file of one's own comes before one of the package with the same name.
    replayedAnswers: replayedAnswersIn(...folders.toReversed()),
    overridesFor: overrides.doFor,
    answeringModel: () => answering,
    seed: options.seed ?? 1,
    now: options.now ?? Date.now,
    onRequest: (request) => {
      byModel.set(request.model, (byModel.get(request.model) ?? 0) + 1);
      options.onRequest?.(request);
    },
  });

  const mustBeThere = (model: string): void => {
    if (!profiles.has(model)) {
      throw userError(`there is no model "${model}"`, didYouMean(model, profiles.keys(), 'models'));
    }
  };

  const server = await openServer({
    service,
    log,
    port: options.port ?? 0,
    onAnswer: (answer) => options.onAnswer?.(answer),
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    models: [...profiles.keys()],
    stats: () => ({ ...server.traffic(), byModel: Object.fromEntries(byModel) }),
    requests: log.requests,
    clear: log.clear,
    next: (what) => void overrides.add({}, what, 1),
    override: (match, what, options = {}) => {
      checkOptions('`override`', options, overrideTable);
      for (const model of [match.model ?? []].flat()) mustBeThere(model);
      return overrides.add(match, what, options.times ?? Infinity);
    },
    answerAs: (model) => {
      if (model !== null) mustBeThere(model);
      answering = model;
    },
    reset: () => {
      answering = null;
      for (const part of [log, overrides, byModel]) part.clear();
      service.reset();
      server.resetTraffic();
    },
    close: server.close,
  };
}
