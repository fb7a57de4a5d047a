import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { HttpResponse } from './response.js';

/** Sends an answer, with its delays and its ending; returns when it is sent or cut, or when the client has gone. */
export async function writeResponse(response: ServerResponse, answer: HttpResponse): Promise<void> {
  if (answer.delay.before > 0) await pause(response, answer.delay.before);
  if (gone(response)) return;
  switch (answer.ending) {
    case 'stall_before_headers':
      return clientGone(response);
    case 'reset_before_headers':
      response.socket?.resetAndDestroy();
      return;
    case 'reset_during_headers':
      response.socket?.write(`HTTP/1.1 ${answer.status} OK\r\ncontent-ty`);
      await after(5);
      response.socket?.resetAndDestroy();
      return;
    case 'end':
    case 'reset':
    case 'stall':
      return writeBody(response, answer);
  }
}

async function writeBody(response: ServerResponse, answer: HttpResponse): Promise<void> {
  const [only] = answer.parts;
  const whole = answer.ending === 'end' && answer.repeat === null && answer.parts.length <= 1;
  response.writeHead(answer.status, answer.headers);
  if (whole) {
    response.end(only ?? '');
    return;
  }
  for (const part of answer.parts) {
    await write(response, part);
    if (answer.delay.between > 0) await pause(response, answer.delay.between);
    if (gone(response)) return;
  }
  for (let times = 0; answer.repeat !== null && times < answer.repeat.times && !gone(response); times += 1) {
    await write(response, answer.repeat.part);
    if (answer.repeat.times === Infinity) await pause(response, Math.max(answer.delay.between, 1));
  }
  if (answer.ending === 'end') response.end();
  if (answer.ending === 'stall') await clientGone(response);
  if (answer.ending === 'reset') {
    // Give what was written time to leave before the reset, or the client would see none of it.
    await after(10);
    response.socket?.resetAndDestroy();
  }
}

function gone(response: ServerResponse): boolean {
  return response.destroyed || response.socket === null || response.socket.destroyed;
}

/** Waits for the client when it reads more slowly than the service writes. */
async function write(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  if (gone(response) || response.write(part)) return;
  await new Promise<void>((resolve) => {
    const proceed = (): void => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}

/** Ends early when the client goes away, so that closing the service never waits for a slow answer. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  response.once('close', stop);
  await after(milliseconds, undefined, { signal: stopped.signal }).catch(() => undefined);
  response.off('close', stop);
}

function clientGone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (gone(response)) resolve();
    else response.once('close', () => resolve());
  });
}
