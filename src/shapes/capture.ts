import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json } from '../json/json.js';
import { startSimulator } from '../simulator/index.js';
import type { CapturedRequest } from './shape-of.js';

export interface Capture {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Every request so far. */
  readonly requests: () => readonly CapturedRequest[];
  readonly close: () => Promise<void>;
}

/** The model of the embedded service that answers, whatever model the client asks for. */
const answeringModel = 'sim-reference';

/**
 * A loopback endpoint that takes down what a client sends, and lets the embedded service's reference model answer, so that
 * the client runs to its end.
 */
export async function startCapture(): Promise<Capture> {
  const simulator = await startSimulator({ log: 0 });
  const requests: CapturedRequest[] = [];
  const server = createServer((message, response) => void handle(message, response));

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await textOf(message);
      const { method = 'GET', url = '/' } = message;
      const body = parsed(text);
      requests.push({ method, url, headers: headersOf(message), body });
      const isChat = /\/chat\/completions(?:\?|$)/.test(url);
      const answer = await fetch(isChat ? `${simulator.baseUrl}/chat/completions` : simulator.baseUrl + pathOf(url), {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method !== 'GET' &&
          method !== 'HEAD' && { body: isObject(body) ? JSON.stringify({ ...body, model: answeringModel }) : text }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch (error) {
      // The client has gone, or the embedded service cut the answer: neither may stop the others.
      if (response.headersSent) return void response.destroy();
      response.writeHead(502, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: error instanceof Error ? error.message : String(error) } }));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise<void>((resolve) => void server.close(() => resolve())), simulator.close()]);
    },
  };
}

const pathOf = (url: string): string => url.replace(/^\/v1(?=\/|$)/, '');

/** Characters of a body. A larger one is a mistake of the program that sends it. */
const most = 64_000_000;

async function textOf(message: IncomingMessage): Promise<string> {
  message.setEncoding('utf8');
  let text = '';
  for await (const piece of message as AsyncIterable<string>) {
    text += piece;
    if (text.length > most) throw new Error('the request is larger than 64 MB');
  }
  return text;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
