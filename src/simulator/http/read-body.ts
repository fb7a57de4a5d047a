import type { IncomingMessage } from 'node:http';

const mostBytes = 64 * 2 ** 20;

/** The request's body; null when it is larger than any request has reason to be. */
export async function readBody(message: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= mostBytes) pieces.push(piece);
  }
  return size > mostBytes ? null : Buffer.concat(pieces).toString('utf8');
}
