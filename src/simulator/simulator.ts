import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
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
import { jsonResponse, seenAnswer, serviceError, type HttpResponse, type SeenAnswer } from './http/response.js';
import { createService, type SeenRequest } from './http/service.js';
import { loadProfiles, ownProfiles, type ProfileInput } from './profiles/load-profiles.js';
import type { Do } from './profiles/profile.js';
import { writtenJson } from '../json/json-text.js';

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
  /** As if it had just started: no requests, no overrides, and the same requests get the same answers again. */
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

/** As {@link simulate}, but `profiles` take the place of the package's. */
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
  const count = { requests: 0, inFlight: 0, peakInFlight: 0 };
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
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    try {
      const body = await readBody(message);
      const answered = log.add({ method, url, headers: message.headers, text: body ?? '' });
      const answer = await answerTo({ method, path, body, headers: message.headers }, service, isOver);
      if (!/before_headers|during_headers/.test(answer.ending)) answered(answer.status);
      if (isChat) options.onAnswer?.(seenAnswer(body ?? '', answer));
      await writeResponse(response, answer);
    } catch (error) {
      // Either the client has gone or the simulator has a bug; neither may stop the service.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(writtenJson(serviceError(500, String(error), null, 'simulator_error', 'server_error').body));
    } finally {
      end();
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
      Object.assign(count, { requests: 0, peakInFlight: count.inFlight });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Received {
  readonly method: string;
  readonly path: string;
  /** null: too large. */
  readonly body: string | null;
  readonly headers: IncomingMessage['headers'];
}

const modelPath = /^\/v1\/models\/(.+)$/;

async function answerTo(
  { method, path, body, headers }: Received,
  service: ReturnType<typeof createService>,
  isOver: Promise<void>,
): Promise<HttpResponse> {
  if (path === '/v1/chat/completions') {
    if (method !== 'POST') return refusalResponse(405, `${method} is not allowed here; use POST.`);
    return body === null ? refusalResponse(413, 'The request is too large.') : service.complete(body, headers, isOver);
  }
  if (method === 'GET' && path === '/v1/models') return service.models();
  const id = method === 'GET' ? modelPath.exec(path)?.[1] : undefined;
  return id === undefined
    ? refusalResponse(404, `There is nothing at ${path}.`, 'not_found')
    : service.model(decodeURIComponent(id));
}

function refusalResponse(status: number, message: string, code: string | null = null): HttpResponse {
  return jsonResponse(status, serviceError(status, message, null, code).body);
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

/** The longest time that a timer takes. */
const forEver = 2 ** 31 - 1;

/** Sends an answer, with its delays and its ending; returns when it is sent or cut, or when the client has gone. */
async function writeResponse(response: ServerResponse, answer: HttpResponse): Promise<void> {
  const { status, headers, delay, ending } = answer;
  const client = new AbortController();
  const gone = client.signal;
  response.once('close', () => client.abort());
  // Whatever is waited for ends when the client goes away, so that closing the service never waits for a slow answer.
  const pause = (milliseconds: number): Promise<unknown> =>
    after(milliseconds, undefined, { signal: gone }).catch(() => null);
  const write = async (part: string | Uint8Array): Promise<void> => {
    if (!gone.aborted && !response.write(part)) await once(response, 'drain', { signal: gone }).catch(() => null);
  };
  if (delay.before > 0) await pause(delay.before);
  if (gone.aborted || response.destroyed) return;
  if (ending === 'reset_before_headers') {
    response.socket?.resetAndDestroy();
  } else if (ending === 'reset_during_headers') {
    response.socket?.write(`HTTP/1.1 ${status} OK\r\ncontent-ty`);
    await after(5);
    response.socket?.resetAndDestroy();
  } else if (ending === 'stall_before_headers') {
    await pause(forEver);
  } else {
    response.writeHead(status, headers);
    // In one packet, as most answers are.
    if (ending === 'end' && answer.repeat === null && answer.parts.length <= 1) {
      response.end(answer.parts[0] ?? '');
      return;
    }
    await writeBody(answer, { write, pause, gone });
    if (ending === 'end') {
      response.end();
    } else if (ending === 'stall') {
      await pause(forEver);
    } else {
      // Give what was written time to leave before the reset, or the client would see none of it.
      await after(10);
      response.socket?.resetAndDestroy();
    }
  }
}

interface Wire {
  readonly write: (part: string | Uint8Array) => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly gone: AbortSignal;
}

async function writeBody({ parts, delay, repeat }: HttpResponse, { write, pause, gone }: Wire): Promise<void> {
  for (const part of parts) {
    await write(part);
    if (delay.between > 0) await pause(delay.between);
  }
  for (let times = 0; repeat !== null && times < repeat.times && !gone.aborted; times += 1) {
    await write(repeat.part);
    if (repeat.times === Infinity) await pause(Math.max(delay.between, 1));
  }
}
