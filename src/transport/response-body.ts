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
   * The time at which each piece came whole, in the order of `body`; null where the pieces are no longer those that
   * came, and for a plain body of one piece, whose time is that of its end.
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

/** The part of a body that has come so far. */
interface BodySoFar {
  /** Decompressed. */
  readonly chunks: Buffer[];
  readonly times: number[];
  /** Compressed: only of a whole body can be said that nobody can decode it. */
  readonly raw: Buffer[];
  /** Bytes, as received and after decompression. */
  received: number;
  decoded: number;
  failure: TransportFailure | null;
  /** The reason why the body cannot be decoded. */
  undecodable: string | null;
  /** The last characters, in which a `[DONE]` may have begun. */
  tail: string;
}

export function bodyReader(options: BodyOptions): BodyReader {
  const { contentType, contentEncoding, maxBytes } = options;
  const isStream = /event-stream/i.test(contentType);
  const body = emptyBody();

  const failTooLarge = (): void => {
    body.failure ??= transportFailure('too_large', null, `more than ${maxBytes} bytes`);
    inflater?.destroy();
    options.onFailure(body.failure);
  };
  const cannotInflate = (why: string): void => {
    noteUndecodable(body, options, why);
    inflater?.destroy();
  };
  const take = (bytes: Buffer): void => {
    if (body.failure !== null) return;
    body.decoded += bytes.length;
    if (body.decoded > maxBytes) {
      failTooLarge();
      return;
    }
    body.chunks.push(bytes);
    body.times.push(options.now());
    if (!isStream) return;
    const text = body.tail + bytes.toString('latin1');
    body.tail = text.slice(-longestDone);
    if (doneEventPattern.test(text)) options.onDone();
  };
  const inflater = inflaterFor(contentEncoding);
  inflater?.on('data', take).on('error', (error) => cannotInflate(error.message));

  return {
    write(chunk) {
      body.received += chunk.length;
      if (inflater !== null && body.received <= keptOfTooLarge) body.raw.push(chunk);
      if (body.received > maxBytes) {
        failTooLarge();
      } else if (inflater === undefined) {
        cannotInflate('nobody asked for it');
      } else if (inflater === null) {
        take(chunk);
      } else if (body.undecodable === null) {
        inflater.write(chunk);
      }
    },
    async end(whole) {
      if (inflater) await endInflater(inflater, whole && body.failure === null);
      return body.failure?.kind === 'too_large'
        ? beginningOfTooLarge(body, options, body.failure)
        : collectedBody(body, options, whole);
    },
  };
}

const emptyBody = (): BodySoFar => ({
  chunks: [],
  times: [],
  raw: [],
  received: 0,
  decoded: 0,
  failure: null,
  undecodable: null,
  tail: '',
});

/** Waits for what is still being decompressed, or gives it up. */
async function endInflater(inflater: Transform, isWanted: boolean): Promise<void> {
  if (isWanted) {
    inflater.end();
  } else {
    inflater.destroy();
  }
  await finished(inflater).catch(() => undefined);
}

function noteUndecodable(body: BodySoFar, { contentEncoding, masker }: BodyOptions, why: string): void {
  const header = contentEncoding === '' ? 'no content-encoding' : `content-encoding: ${contentEncoding}`;
  body.undecodable ??= `${masker.mask(header).slice(0, 100)}; ${why}`;
}

/** Empties the list: the connection may know its reader for as long as it is idle. */
const takenOut = (chunks: Buffer[]): readonly Buffer[] => chunks.splice(0);

function beginningOfTooLarge(
  { chunks, decoded }: BodySoFar,
  { contentType, masker }: BodyOptions,
  failure: TransportFailure,
): CollectedBody {
  // Somewhat more is searched than is kept, since the cut may go through a key.
  const bytes = Buffer.concat(takenOut(chunks), Math.min(decoded, 2 * keptOfTooLarge));
  const beginning = decodedTexts([bytes], contentType).texts.join('');
  const shown = maskBody(beginning, masker, true) ?? beginning;
  return { body: [shown.slice(0, keptOfTooLarge)], times: null, failure };
}

function collectedBody(body: BodySoFar, options: BodyOptions, whole: boolean): CollectedBody {
  const { status, contentType, masker } = options;
  const { times } = body;
  const came = takenOut(body.chunks);
  const { texts, valid } = decodedTexts(body.undecodable === null ? came : body.raw, contentType);
  // An error page in an unknown charset is still an error page: its status says so.
  if (!valid && isSuccess(status)) noteUndecodable(body, options, `bytes that are not UTF-8${zipped(came)}`);
  if (whole && body.undecodable !== null) body.failure ??= transportFailure('bad_encoding', null, body.undecodable);
  // Only the whole body shows what its pieces hold together.
  const shown = masker.active ? maskBody(texts.join(''), masker, !whole) : null;
  if (shown === withheld) body.failure ??= transportFailure('withheld', null, null);
  const pieces = shown === null ? texts : [shown];
  // A character that was cut between two pieces may have left one of them without text.
  const areThose = shown === null && body.undecodable === null && texts.length === times.length;
  const isTimed = areThose && (/event-stream/i.test(contentType) || pieces.length > 1);
  if (pieces.length > mostPieces) {
    pieces.push(pieces.splice(mostPieces - 1).join(''));
    times.splice(mostPieces - 1, times.length - mostPieces);
  }
  return { body: pieces, times: isTimed && pieces.length > 0 ? times : null, failure: body.failure };
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
