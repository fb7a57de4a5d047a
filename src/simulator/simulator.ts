import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { knownTaskFinder, loadKnownTasks } from './answers/known-tasks.js';
import { loadProfiles } from './profiles/load-profiles.js';
import { replayedAnswersIn } from './faults/replayed-answers.js';
import { serviceError } from './http/service-error.js';
import { createService, type SeenRequest, type Service } from './http/service.js';
import { jsonResponse, type HttpResponse } from './http/response.js';
import { writeResponse } from './http/write-response.js';

export interface SimulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Determines all randomness; default 1. */
  readonly seed?: number;
  /** Folder of model profiles (YAML); default: those of the package. */
  readonly profiles?: string;
  /** Folder of task texts with the right answers (JSON Lines); default: those of the package. */
  readonly samples?: string;
  /** Called for every request that names a model of the service, before it is answered. */
  readonly onRequest?: (request: SeenRequest) => void;
}

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
  /** Also cuts the requests that are still in flight. */
  readonly close: () => Promise<void>;
}

const fixtures = new URL('../../fixtures/', import.meta.url);

/**
 * Starts the embedded service on loopback. Rejects with a UserError when a profile is invalid, and with the system's
 * error when the port is taken.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const folder = options.profiles ?? fileURLToPath(new URL('profiles/', fixtures));
  const samples = options.samples ?? fileURLToPath(new URL('samples/', fixtures));
  const profiles = await loadProfiles(folder);
  const byModel = new Map<string, number>();
  const count = { requests: 0, inFlight: 0, peakInFlight: 0 };
  const service = createService({
    profiles,
    findTask: knownTaskFinder(loadKnownTasks(samples)),
    replayedAnswers: replayedAnswersIn(folder),
    seed: options.seed ?? 1,
    now: () => Date.now(),
    onRequest: (request) => {
      byModel.set(request.model, (byModel.get(request.model) ?? 0) + 1);
      options.onRequest?.(request);
    },
  });

  const server = createServer((message, response) => {
    void handle(message, response);
  });
  // Clients pool connections; if the service closed idle ones first, they would see resets that no profile asked for.
  server.keepAliveTimeout = 120_000;
  server.requestTimeout = 0;

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(message.url ?? '/', 'http://loopback').pathname;
    const isChat = path === '/v1/chat/completions' && message.method === 'POST';
    if (isChat) {
      count.requests += 1;
      count.inFlight += 1;
      count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
    }
    try {
      await writeResponse(
        response,
        isChat ? await answerChat(message, service) : await answerElsewhere(message, path, service),
      );
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

async function answerChat(message: IncomingMessage, service: Service): Promise<HttpResponse> {
  const body = await readBody(message);
  if (body !== null) return service.complete(body, message.headers);
  const { status, body: error } = serviceError(413, 'The request is too large.');
  return jsonResponse(status, error);
}

async function answerElsewhere(message: IncomingMessage, path: string, service: Service): Promise<HttpResponse> {
  await readBody(message);
  if (path === '/v1/models' && message.method === 'GET') return service.models();
  const wrongMethod = path === '/v1/chat/completions';
  const { status, body } = wrongMethod
    ? serviceError(405, `${message.method ?? ''} is not allowed here; use POST.`)
    : serviceError(404, `There is nothing at ${path}.`, null, 'not_found');
  return jsonResponse(status, body);
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
