import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/**
 * Removes a `content-encoding`, which some services use although the request accepts none. null: there is none to remove;
 * undefined: nobody knows it.
 */
export function inflaterFor(encoding: string): Transform | null | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

/**
 * The text of each chunk; a character that is cut belongs to the chunk that ends it. Bytes that are no characters of the
 * charset become U+FFFD, and make it invalid.
 */
export function textsOf(
  chunks: readonly Buffer[],
  contentType: string,
): { readonly texts: string[]; readonly valid: boolean } {
  const charset = charsetOf(contentType);
  // A decoder leaves out the mark that a text may begin with, and takes ten times as long.
  if (charset === 'utf-8' && chunks[0]?.[0] !== 0xef && chunks.every((bytes) => isUtf8(bytes))) {
    return { texts: chunks.map(String), valid: true };
  }
  const decoder = new TextDecoder(charset);
  const texts = [...chunks.map((bytes) => decoder.decode(bytes, { stream: true })), decoder.decode()];
  return { texts: texts.filter((text) => text !== ''), valid: isValid(Buffer.concat(chunks), charset) };
}

function isValid(bytes: Buffer, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** JSON and event streams are UTF-8 whatever they declare; the error page of a gateway may use another charset. */
function charsetOf(contentType: string): string {
  const declared = /charset="?([\w-]+)"?/i.exec(contentType)?.[1];
  if (declared === undefined || /json|event-stream/i.test(contentType)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}
