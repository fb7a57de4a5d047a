import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isObject, jsonOrUndefined, writtenJson } from '../json/json.js';
import { startSimulator } from '../simulator/index.js';
import type { CapturedRequest } from './shape-of.js';

/** The model of the embedded service that answers, whatever model the client asks for. */
export const answeringModel = 'sim-reference';

/**
 * A loopback endpoint that takes down what a client sends, and lets the embedded service's reference model answer, so
 * that the client runs to its end.
 */
export async function startCapture() {
  const simulator = await startSimulator({ log: 0 });
  const requests: CapturedRequest[] = [];
  const server = createServer((message, response) => void handle(message, response));

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { method = 'GET', url = '/' } = message;
      const sent = await text(message);
      const body = jsonOrUndefined(sent) ?? null;
      const headers = Object.entries(message.headers).map(([name, value = '']) => [name, String(value)] as const);
      requests.push({ method, url, headers: Object.fromEntries(headers), body });
      const isChat = /\/chat\/completions(?:\?|$)/.test(url);
      const path = isChat ? '/chat/completions' : url.replace(/^\/v1(?=\/|$)/, '');
      const answer = await fetch(`${simulator.baseUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method !== 'GET' &&
          method !== 'HEAD' && { body: isObject(body) ? writtenJson({ ...body, model: answeringModel }) : sent }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch (error) {
      // The client has gone, or the embedded service cut the answer: neither may stop the others.
      if (response.headersSent) return void response.destroy();
      response.writeHead(502, { 'content-type': 'application/json' });
      response.end(writtenJson({ error: { message: error instanceof Error ? error.message : String(error) } }));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    /** `http://127.0.0.1:PORT/v1` */
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Every request so far. */
    requests: (): readonly CapturedRequest[] => requests,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await Promise.all([new Promise<void>((resolve) => void server.close(() => resolve())), simulator.close()]);
    },
  };
}
