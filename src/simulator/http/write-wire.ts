import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Wire } from './wire.js';

/** Sends an answer, with everything that happens to it on the way; returns when it is sent, cut or given up by the client. */
export async function writeWire(response: ServerResponse, wire: Wire): Promise<void> {
  if (wire.delay.before > 0) await pause(response, wire.delay.before);
  if (gone(response)) return;
  switch (wire.ending) {
    case 'stall_before_headers':
      return clientGone(response);
    case 'reset_before_headers':
      response.socket?.resetAndDestroy();
      return;
    case 'reset_during_headers':
      response.socket?.write(`HTTP/1.1 ${wire.status} OK\r\ncontent-ty`);
      await after(5);
      response.socket?.resetAndDestroy();
      return;
    case 'end':
    case 'reset':
    case 'stall':
      return writeBody(response, wire);
  }
}

async function writeBody(response: ServerResponse, wire: Wire): Promise<void> {
  const [only] = wire.parts;
  const whole = wire.ending === 'end' && wire.repeat === null && wire.parts.length <= 1;
  response.writeHead(wire.status, wire.headers);
  if (whole) {
    response.end(only ?? '');
    return;
  }
  for (const part of wire.parts) {
    await write(response, part);
    if (wire.delay.between > 0) await pause(response, wire.delay.between);
    if (gone(response)) return;
  }
  for (let times = 0; wire.repeat !== null && times < wire.repeat.times && !gone(response); times += 1) {
    await write(response, wire.repeat.part);
    if (wire.repeat.times === Infinity) await pause(response, Math.max(wire.delay.between, 1));
  }
  if (wire.ending === 'end') response.end();
  if (wire.ending === 'stall') await clientGone(response);
  if (wire.ending === 'reset') {
    // What was written has to leave before the connection is torn, or the client would see none of it.
    await after(10);
    response.socket?.resetAndDestroy();
  }
}

function gone(response: ServerResponse): boolean {
  return response.destroyed || response.socket === null || response.socket.destroyed;
}

/** Waits for room when the client reads more slowly than this writes. */
async function write(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  if (gone(response) || response.write(part)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}

/** Ends early when the client goes away, so that closing the service never waits for a slow answer. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  const given = new AbortController();
  const stop = (): void => {
    given.abort();
  };
  response.once('close', stop);
  await after(milliseconds, undefined, { signal: given.signal }).catch(() => undefined);
  response.off('close', stop);
}

function clientGone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (gone(response)) resolve();
    else response.once('close', () => resolve());
  });
}
