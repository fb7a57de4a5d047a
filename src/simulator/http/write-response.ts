import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { HttpResponse } from './response.js';

/** The longest time that a timer takes. */
const forEver = 2 ** 31 - 1;

/** Sends an answer, with its delays and its ending; returns when it is sent or cut, or when the client has gone. */
export async function writeResponse(response: ServerResponse, answer: HttpResponse): Promise<void> {
  const { status, headers, delay, ending } = answer;
  const client = new AbortController();
  const gone = client.signal;
  response.once('close', () => client.abort());
  // Every wait ends when the client goes away, so that closing the service never waits for a slow answer.
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
