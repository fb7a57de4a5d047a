import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { knowledgeOf, loadTasks } from './answers/knowledge.js';
import { loadProfiles } from './profiles/load-profiles.js';
import { readBody } from './http/read-body.js';
import { replaysIn } from './faults/replayed-answers.js';
import { serviceError } from './http/service-error.js';
import { createService, type SeenRequest, type Service } from './http/service.js';
import { jsonWire, type Wire } from './http/wire.js';
import { writeWire } from './http/write-wire.js';

export interface SimulatorOptions {
  /** 0 (the default) picks a free one. */
  readonly port?: number;
  /** All randomness follows from it; default 1. */
  readonly seed?: number;
  /** Folder of model profiles (YAML); default: those of the package. */
  readonly profiles?: string;
  /** Folder of task texts with the right answers (JSON Lines); default: those of the package. */
  readonly samples?: string;
  /** Told of every request that names a model of the service, before it is answered. */
  readonly onRequest?: (seen: SeenRequest) => void;
}

export interface SimulatorStats {
  /** Chat completion requests, whether they name a known model or not. */
  readonly requests: number;
  /** By model id; only models of the service. */
  readonly byModel: Readonly<Record<string, number>>;
  readonly inFlight: number;
  /** The most requests that were in flight at the same time. */
  readonly peakInFlight: number;
}

export interface Simulator {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ids, in the order of the profiles. */
  readonly models: readonly string[];
  readonly stats: () => SimulatorStats;
  /** Cuts what is still in flight. */
  readonly close: () => Promise<void>;
}

const fixtures = new URL('../../fixtures/', import.meta.url);

/**
 * Starts the embedded service on loopback. Rejects with a UserError when a profile is wrong, and with the error of the
 * system when the port is taken.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const folder = options.profiles ?? fileURLToPath(new URL('profiles/', fixtures));
  const samples = options.samples ?? fileURLToPath(new URL('samples/', fixtures));
  const profiles = await loadProfiles(folder);
  const byModel = new Map<string, number>();
  const count = { requests: 0, inFlight: 0, peakInFlight: 0 };
  const service = createService({
    profiles,
    knowledge: knowledgeOf(loadTasks(samples)),
    replays: replaysIn(folder),
    seed: options.seed ?? 1,
    now: () => Date.now(),
    onRequest: (seen) => {
      byModel.set(seen.model, (byModel.get(seen.model) ?? 0) + 1);
      options.onRequest?.(seen);
    },
  });

  const server = createServer((message, response) => {
    void handle(message, response);
  });
  // Clients keep connections in pools; a service that hangs up first causes resets that no profile asked for.
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
      await writeWire(response, isChat ? await chat(message, service) : await elsewhere(message, path, service));
    } catch (error) {
      // The client went away, or this is a mistake of the simulator: either way one answer must not end the service.
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

async function chat(message: IncomingMessage, service: Service): Promise<Wire> {
  const body = await readBody(message);
  if (body !== null) return service.complete(body, message.headers);
  const { status, body: told } = serviceError(413, 'The request is too large.');
  return jsonWire(status, told);
}

async function elsewhere(message: IncomingMessage, path: string, service: Service): Promise<Wire> {
  await readBody(message);
  if (path === '/v1/models' && message.method === 'GET') return service.models();
  const wrongMethod = path === '/v1/chat/completions';
  const { status, body } = wrongMethod
    ? serviceError(405, `${message.method ?? ''} is not allowed here; use POST.`)
    : serviceError(404, `There is nothing at ${path}.`, null, 'not_found');
  return jsonWire(status, body);
}
