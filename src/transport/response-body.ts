import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isSuccess, type TransportFailure } from '../chat/exchange.js';
import { maskBody, withheld } from '../masking/joined-fields.js';
import type { Masker } from '../masking/masker.js';
import { transportFailure } from './failure.js';

/** Pieces of a body that are kept separate; everything after them is added to the last. */
const mostPieces = 4096;

/** Characters that are kept of an answer that is too large: enough to see what it was. */
const keptOfTooLarge = 64 * 1024;

/** The end of a stream, which some services leave open after it. */
const doneEventPattern = /(?:^|[\r\n])data: ?\[DONE\] *[\r\n]/;
const longestDone = 24;

/** Collects the body of one answer. */
export interface BodyReader {
  write(chunk: Buffer): void;
  /** The pieces, decoded and masked. `whole`: the sender ended the body. */
  end(whole: boolean): Promise<CollectedBody>;
}

interface CollectedBody {
  readonly body: readonly string[];
  /**
   * When each piece came whole, in the order of `body`; null where the pieces are no longer those that came, and for a
   * plain body of one piece, whose time is that of its end.
   */
  readonly times: readonly number[] | null;
  readonly failure: TransportFailure | null;
}

interface BodyOptions {
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Bytes, as received and after decompression. */
  readonly maxBytes: number;
  readonly masker: Masker;
  /** Milliseconds since the request began. */
  readonly now: () => number;
  /** Called when it makes no sense to read on. */
  readonly onFailure: (failure: TransportFailure) => void;
  /** Called when a `[DONE]` arrived. */
  readonly onDone: () => void;
}

export function bodyReader(options: BodyOptions): BodyReader {
  const { status, contentType, contentEncoding, maxBytes, masker } = options;
  const isStream = /event-stream/i.test(contentType);
  const chunks: Buffer[] = [];
  const times: number[] = [];
  let received = 0;
  let decoded = 0;
  let failure: TransportFailure | null = null;
  /** The last characters, in which a `[DONE]` may have begun. */
  let tail = '';

  const failTooLarge = (): void => {
    failure ??= transportFailure('too_large', null, `more than ${maxBytes} bytes`);
    inflater?.destroy();
    options.onFailure(failure);
  };
  /** What comes is still received: only of a whole body can be said that nobody can decode it. */
  const raw: Buffer[] = [];
  let undecodable: string | null = null;
  const cannotDecode = (why: string): void => {
    const header = contentEncoding === '' ? 'no content-encoding' : `content-encoding: ${contentEncoding}`;
    undecodable ??= `${masker.mask(header).slice(0, 100)}; ${why}`;
    inflater?.destroy();
  };
  const take = (bytes: Buffer): void => {
    if (failure !== null) return;
    decoded += bytes.length;
    if (decoded > maxBytes) {
      failTooLarge();
      return;
    }
    chunks.push(bytes);
    times.push(options.now());
    if (!isStream) return;
    const text = tail + bytes.toString('latin1');
    tail = text.slice(-longestDone);
    if (doneEventPattern.test(text)) options.onDone();
  };
  const inflater = inflaterFor(contentEncoding);
  inflater?.on('data', take).on('error', (error) => cannotDecode(error.message));

  return {
    write(chunk) {
      received += chunk.length;
      if (inflater !== null && received <= keptOfTooLarge) raw.push(chunk);
      if (received > maxBytes) {
        failTooLarge();
      } else if (inflater === undefined) {
        cannotDecode('nobody asked for it');
      } else if (inflater === null) {
        take(chunk);
      } else if (undecodable === null) {
        inflater.write(chunk);
      }
    },
    async end(whole) {
      if (inflater !== null && inflater !== undefined) {
        if (whole && failure === null) {
          inflater.end();
        } else {
          inflater.destroy();
        }
        await finished(inflater).catch(() => undefined);
      }
      // The connection may know this reader for as long as it is idle.
      const came = chunks.splice(0);
      if (failure?.kind === 'too_large') {
        // Somewhat more is searched than is kept, since the cut may go through a key.
        const bytes = Buffer.concat(came, Math.min(decoded, 2 * keptOfTooLarge));
        const beginning = decodedTexts([bytes], contentType).texts.join('');
        return {
          body: [(maskBody(beginning, masker, true) ?? beginning).slice(0, keptOfTooLarge)],
          times: null,
          failure,
        };
      }
      const { texts, valid } = decodedTexts(undecodable === null ? came : raw, contentType);
      // An error page in an unknown charset is still an error page: its status says so.
      if (!valid && isSuccess(status)) cannotDecode(`bytes that are not UTF-8${zipped(came)}`);
      if (whole && undecodable !== null) failure ??= transportFailure('bad_encoding', null, undecodable);
      // Only the whole body shows what its pieces hold together.
      const shown = masker.active ? maskBody(texts.join(''), masker, !whole) : null;
      if (shown === withheld) failure ??= transportFailure('withheld', null, null);
      const body = shown === null ? texts : [shown];
      // A character that was cut between two pieces may have left one of them without text.
      const areThose = shown === null && undecodable === null && texts.length === times.length;
      const isTimed = areThose && (isStream || body.length > 1);
      if (body.length > mostPieces) {
        body.push(body.splice(mostPieces - 1).join(''));
        times.splice(mostPieces - 1, times.length - mostPieces);
      }
      return { body, times: isTimed && body.length > 0 ? times : null, failure };
    },
  };
}

/** Says that bytes begin as gzip begins. */
function zipped([first]: readonly Buffer[]): string {
  return first?.[0] === 0x1f && first[1] === 0x8b ? ', but gzip' : '';
}

/**
 * Removes a `content-encoding`, which some services use although the request accepts none. null: there is none to
 * remove; undefined: nobody knows it.
 */
function inflaterFor(encoding: string): Transform | null | undefined {
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
 * The text of each chunk; a character that is cut belongs to the chunk that ends it. Bytes that are no characters of
 * the charset become U+FFFD, and make it invalid.
 */
function decodedTexts(
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
  return { texts: texts.filter((text) => text !== ''), valid: isDecodableAs(Buffer.concat(chunks), charset) };
}

function isDecodableAs(bytes: Buffer, charset: string): boolean {
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
