import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writtenJson } from '../../json/json.js';
import type { createRequestLog } from './request-log.js';
import { jsonResponse, seenAnswer, serviceError, type HttpResponse, type SeenAnswer } from './response.js';
import type { createService } from './service.js';
import { writeResponse } from './write-response.js';

interface ServerOptions {
  readonly service: ReturnType<typeof createService>;
  readonly log: ReturnType<typeof createRequestLog>;
  /** 0: any free port. */
  readonly port: number;
  /** Called with each answer to a chat completion request, before it is sent. */
  readonly onAnswer: (answer: SeenAnswer) => void;
}

/** Chat completion requests, also those for unknown models. */
interface Traffic {
  readonly requests: number;
  readonly inFlight: number;
  /** The most requests in flight at the same time. */
  readonly peakInFlight: number;
}

interface SimulatorServer {
  readonly port: number;
  readonly traffic: () => Traffic;
  /** Counts from here on; what is in flight stays counted. */
  readonly resetTraffic: () => void;
  /** Also cuts the requests that are still in flight. */
  readonly close: () => Promise<void>;
}

/** Serves on loopback. Rejects with the system's error when the port is taken. */
export async function openServer({ service, log, port, onAnswer }: ServerOptions): Promise<SimulatorServer> {
  const count = { requests: 0, inFlight: 0, peakInFlight: 0 };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
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
      if (isChat) onAnswer(seenAnswer(body ?? '', answer));
      await writeResponse(response, answer);
    } catch (error) {
      // Either the client has gone or the simulator has a bug; neither may stop the service.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(writtenJson(serviceError(500, String(error), null, 'simulator_error', 'server_error').body));
    } finally {
      end();
      if (isChat) count.inFlight -= 1;
    }
  };

  const server = createServer((message, response) => {
    void handle(message, response);
  });
  // Clients pool connections; if the service closed idle ones first, they would see resets that no profile asked for.
  server.keepAliveTimeout = 120_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    traffic: () => ({ ...count }),
    resetTraffic: () => void Object.assign(count, { requests: 0, peakInFlight: count.inFlight }),
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
