import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** A connection whose data can be left unread, so that TCP keeps the sender waiting. */
export interface HeldSocket {
  hold(): void;
  letGo(): void;
}

/** Whoever begins a request in this moment. */
let beginning: ((socket: HeldSocket) => void) | null = null;

/** Called in the moment in which undici begins a request: learns on which connection it is sent. */
export function learnSocket(found: (socket: HeldSocket) => void): void {
  listen();
  beginning = found;
  // undici names the connection before it does anything else.
  queueMicrotask(() => {
    if (beginning === found) beginning = null;
  });
}

let listening = false;

function listen(): void {
  if (listening) return;
  listening = true;
  subscribe('undici:client:sendHeaders', (message) => {
    beginning?.(heldSocket((message as { readonly socket: Socket }).socket));
    beginning = null;
  });
}

/**
 * undici's own `pause` is no use: it breaks when a paused connection ends. Here nothing of undici is paused; it just finds
 * nothing to read.
 */
function heldSocket(socket: Socket): HeldSocket {
  let held = false;
  return {
    hold() {
      if (held) return;
      held = true;
      const actual = socket.read.bind(socket);
      // A read of 0 bytes is how the stream looks after itself.
      const read = (size?: number): unknown => (size === 0 ? actual(0) : null);
      Object.defineProperty(socket, 'read', { value: read, configurable: true });
    },
    letGo() {
      if (!held) return;
      held = false;
      Reflect.deleteProperty(socket, 'read');
      // Not at once: undici may be in the middle of what it has read.
      setImmediate(() => socket.emit('readable'));
    },
  };
}
