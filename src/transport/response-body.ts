import { isSuccess, type TransportFailure } from '../chat/exchange.js';
import { inflaterFor, textReader, type Inflater } from './decode.js';
import { failed } from './failure.js';
import { maskBody, withheld } from '../masking/mask-body.js';
import type { Masker } from '../masking/masker.js';

/** Pieces of a body that are kept separate; everything after them is added to the last. */
const mostPieces = 4096;

/** Characters that are kept of an answer that is too large: enough to see what it was. */
const keptOfTooLarge = 64 * 1024;

/** Collects the body of one answer. */
export interface BodyReader {
  write(chunk: Buffer): void;
  /** There is room for more. */
  goOn(): void;
  /** Whether a `[DONE]` arrived: the answer is complete, although some services keep the connection open. */
  done(): boolean;
  /** Why reading stopped early; null while it goes on. */
  failure(): TransportFailure | null;
  /** The pieces, decoded and masked. `whole`: the sender ended the body. */
  end(whole: boolean): Promise<{ readonly body: readonly string[]; readonly failure: TransportFailure | null }>;
}

export interface BodyOptions {
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Bytes, as received and after decompression. */
  readonly maxBytes: number;
  readonly masker: Masker;
  /** Called with the bytes of each piece, after decompression. false: no more is to be read until `goOn`. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Called when a piece has been read, or could not be. */
  readonly onProgress: () => void;
}

export function bodyReader(options: BodyOptions): BodyReader {
  const { status, contentType, contentEncoding, maxBytes, masker, hasRoom, onProgress } = options;
  const pieces: string[] = [];
  const text = textReader(contentType);
  const eventStream = /event-stream/i.test(contentType);
  let received = 0;
  let decoded = 0;
  let failure: TransportFailure | null = null;
  /** The last characters, in which a `[DONE]` may have begun. */
  let tail = '';
  let sawDone = false;
  let inflater: Inflater | null = null;
  /**
   * Pieces wait here to be inflated. The sender is not paused meanwhile; `maxBytes` bounds what can pile up.
   */
  let inflating: Promise<void> = Promise.resolve();

  const tooLarge = (): void => {
    failure ??= failed('too_large', null, `more than ${maxBytes} bytes`);
    inflater?.destroy();
  };
  const keep = (piece: string): void => {
    if (piece === '') return;
    if (pieces.length < mostPieces) pieces.push(piece);
    else pieces.push(`${pieces.pop() ?? ''}${piece}`);
  };
  const take = (bytes: Buffer): void => {
    if (failure !== null) return;
    decoded += bytes.length;
    if (decoded > maxBytes) {
      tooLarge();
      return;
    }
    const piece = text.write(bytes);
    if (eventStream && !sawDone) {
      tail = (tail + piece).slice(-(piece.length + 24));
      sawDone = /(?:^|[\r\n])data: ?\[DONE\] *[\r\n]/.test(tail);
      tail = tail.slice(-24);
    }
    keep(piece);
    if (!hasRoom(bytes.length)) inflater?.pause();
  };
  const encoding = inflaterFor(contentEncoding, take);
  if (encoding.kind === 'inflater') inflater = encoding.inflater;
  if (encoding.kind === 'unknown') {
    failure = failed('bad_encoding', null, `content-encoding ${masker.mask(contentEncoding).slice(0, 100)}`);
  }
  const broken = (error: unknown): void => {
    failure ??= failed('bad_encoding', null, error instanceof Error ? error.message : String(error));
  };

  return {
    write(chunk) {
      received += chunk.length;
      const into = inflater;
      if (received > maxBytes) tooLarge();
      else if (into === null) take(chunk);
      else {
        inflating = inflating
          .then(() => (failure === null ? into.write(chunk) : undefined))
          .catch(broken)
          .then(onProgress);
        return;
      }
      onProgress();
    },
    goOn: () => inflater?.resume(),
    done: () => sawDone,
    failure: () => failure,
    async end(whole) {
      if (whole) await inflating;
      if (whole && failure === null) await inflater?.end().catch(broken);
      else inflater?.destroy();
      keep(text.end());
      if (failure?.kind === 'too_large') {
        // Somewhat more is searched than is kept, since the cut may go through a key.
        const beginning = pieces.join('').slice(0, 2 * keptOfTooLarge);
        return { body: [(maskBody(beginning, masker, true) ?? beginning).slice(0, keptOfTooLarge)], failure };
      }
      // An error page in an unknown charset is still an error page: its status says so.
      if (whole && text.invalid() && isSuccess(status)) {
        failure ??= failed('bad_encoding', null, 'bytes that are not UTF-8');
      }
      // Only the whole body shows what its pieces hold together.
      const shown = masker.active ? maskBody(pieces.join(''), masker, !whole) : null;
      if (shown === withheld) failure ??= failed('withheld', null, null);
      return { body: shown === null ? pieces : [shown], failure };
    },
  };
}
