import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../files/problems/nearest.js';
import { userError } from '../files/problems/problem.js';
import { knownTaskFinder, loadKnownTasks } from './answers/known-tasks.js';
import { createOverrides, type Match } from './faults/overrides.js';
import { replayedAnswersIn } from './faults/replayed-answers.js';
import { createRequestLog, type LoggedRequest } from './http/request-log.js';
import { jsonResponse, type HttpResponse } from './http/response.js';
import { serviceError } from './http/service-error.js';
import { seenAnswer } from './http/seen-answer.js';
import { createService, type Service } from './http/service.js';
import { writeResponse } from './http/write-response.js';
import { profilesIn } from './profiles/load-profiles.js';
import type { Do } from './profiles/profile.js';
import { ownProfiles, profileSources, type ProfileInput } from './profiles/profile-sources.js';
import {
  checkOverrideOptions,
  checkSimulateOptions,
  checkSimulatorOptions,
  type OverrideOptions,
  type SimulateOptions,
  type SimulatorOptions,
} from './simulator-options.js';

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
   * Returns how to take it back. Throws a UserError for what the language of profiles does not have and for a model that
   * is not there, and a TypeError or RangeError for options that are not.
   */
  readonly override: (match: Match, what: Do, options?: OverrideOptions) => () => void;
  /**
   * Lets this model answer every request from now on, whatever model it names; null: the one that it names, as in the
   * beginning. Throws a UserError for a model that is not there.
   */
  readonly answerAs: (model: string | null) => void;
  /** As if it had just started: no requests, no overrides, and the same requests get the same answers again. */
  readonly reset: () => void;
  /** Also cuts the requests that are still in flight. */
  readonly close: () => Promise<void>;
}

const fixtures = new URL('../../fixtures/', import.meta.url);

/**
 * Starts the embedded service on loopback, with the package's models and those of `profiles`. Rejects with a UserError
 * when a profile is invalid, a TypeError or RangeError for an option that is, and the system's error when the port is taken.
 */
export async function simulate(options: SimulateOptions = {}): Promise<Simulator> {
  checkSimulateOptions(options);
  return start([ownProfiles, ...[options.profiles ?? []].flat()], options);
}

/** As {@link simulate}, but `profiles` take the place of the package's. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkSimulatorOptions(options);
  return start([options.profiles ?? ownProfiles], options);
}

async function start(inputs: readonly ProfileInput[], options: Omit<SimulateOptions, 'profiles'>): Promise<Simulator> {
  const samples = options.samples ?? fileURLToPath(new URL('samples/', fixtures));
  const { sources, folders } = await profileSources(inputs);
  const profiles = profilesIn(sources);
  const log = createRequestLog(options.log ?? 1000);
  const overrides = createOverrides();
  const byModel = new Map<string, number>();
  let answering: string | null = null;
  const count = { requests: 0, inFlight: 0, peakInFlight: 0 };
  const service = createService({
    profiles,
    findTask: knownTaskFinder(loadKnownTasks(samples)),
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
    if (!profiles.has(model))
      throw userError(`there is no model "${model}"`, didYouMean(model, profiles.keys(), 'models'));
  };

  const server = createServer((message, response) => {
    void handle(message, response);
  });
  // Clients pool connections; if the service closed idle ones first, they would see resets that no profile asked for.
  server.keepAliveTimeout = 120_000;
  server.requestTimeout = 0;

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = message;
    const path = new URL(url, 'http://loopback').pathname;
    const isChat = path === '/v1/chat/completions' && method === 'POST';
    if (isChat) {
      count.requests += 1;
      count.inFlight += 1;
      count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
    }
    try {
      const body = await readBody(message);
      const answered = log.add({ method, url, headers: message.headers, text: body ?? '' });
      const answer = await answerTo({ method, path, body, headers: message.headers }, service);
      if (!/before_headers|during_headers/.test(answer.ending)) answered(answer.status);
      if (isChat) options.onAnswer?.(seenAnswer(body ?? '', answer));
      await writeResponse(response, answer);
    } catch (error) {
      // Either the client has gone or the simulator has a bug; neither may stop the service.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(serviceError(500, messageOf(error), null, 'simulator_error', 'server_error').body));
    } finally {
      if (isChat) count.inFlight -= 1;
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    models: [...profiles.keys()],
    stats: () => ({ ...count, byModel: Object.fromEntries(byModel) }),
    requests: log.requests,
    clear: log.clear,
    next: (what) => void overrides.add({}, what, 1),
    override: (match, what, options = {}) => {
      checkOverrideOptions(options);
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
      Object.assign(count, { requests: 0, peakInFlight: count.inFlight });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Received {
  readonly method: string;
  readonly path: string;
  /** null: too large. */
  readonly body: string | null;
  readonly headers: IncomingMessage['headers'];
}

const modelPath = /^\/v1\/models\/(.+)$/;

async function answerTo({ method, path, body, headers }: Received, service: Service): Promise<HttpResponse> {
  if (path === '/v1/chat/completions') {
    if (method !== 'POST') return refused(405, `${method} is not allowed here; use POST.`);
    return body === null ? refused(413, 'The request is too large.') : service.complete(body, headers);
  }
  if (method === 'GET' && path === '/v1/models') return service.models();
  const id = method === 'GET' ? modelPath.exec(path)?.[1] : undefined;
  return id === undefined ? refused(404, `There is nothing at ${path}.`, 'not_found') : service.model(decoded(id));
}

function refused(status: number, message: string, code: string | null = null): HttpResponse {
  return jsonResponse(status, serviceError(status, message, null, code).body);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

const mostBytes = 64 * 2 ** 20;

/** The request's body; null when it is too large. */
async function readBody(message: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= mostBytes) pieces.push(piece);
  }
  return size > mostBytes ? null : Buffer.concat(pieces).toString('utf8');
}
