import { isUtf8 } from 'node:buffer';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Gunzip } from 'node:zlib';

/** Removes the content encoding of a body. */
export interface Inflater {
  /** Resolves once everything that came out of the chunk has been passed on. */
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Nothing more comes out until `resume`. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

type Decompressor = Pick<Gunzip, 'write' | 'end' | 'pause' | 'resume' | 'destroy' | 'on'>;

/** Decodes a `content-encoding`, which some services use although the request accepts none. */
export function inflaterFor(
  encoding: string,
  give: (bytes: Buffer) => void,
): { readonly kind: 'identity' | 'unknown' } | { readonly kind: 'inflater'; readonly inflater: Inflater } {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return { kind: 'identity' };
    case 'gzip':
    case 'x-gzip':
      return { kind: 'inflater', inflater: inflater(() => createGunzip(), give) };
    case 'br':
      return { kind: 'inflater', inflater: inflater(() => createBrotliDecompress(), give) };
    case 'deflate':
      return { kind: 'inflater', inflater: inflater(inflate, give) };
    default:
      return { kind: 'unknown' };
  }
}

/** `deflate` means the zlib format (RFC 9110), but some servers send the data without its header. */
function inflate(first: Buffer): Decompressor {
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function inflater(make: (first: Buffer) => Decompressor, give: (bytes: Buffer) => void): Inflater {
  let stream: Decompressor | null = null;
  let failed: Error | null = null;
  /** Ends the current wait: zlib does not call back after an error. */
  let wake: () => void = () => undefined;

  const open = (first: Buffer): Decompressor => {
    const opened = make(first);
    opened.on('data', (bytes: Buffer) => {
      give(bytes);
    });
    opened.on('error', (error: Error) => {
      failed ??= error;
      wake();
    });
    opened.on('end', () => wake());
    return opened;
  };

  return {
    async write(chunk) {
      const into = (stream ??= open(chunk));
      if (failed === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          into.write(chunk, () => {
            resolve();
          });
        });
      }
      if (failed !== null) throw failed;
    },
    async end() {
      const from = stream;
      if (from === null) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (failed !== null) resolve();
        else from.end();
      });
      if (failed !== null) throw failed;
    },
    pause() {
      stream?.pause();
    },
    resume() {
      stream?.resume();
    },
    destroy() {
      stream?.destroy();
    },
  };
}

/** Decodes text across chunk boundaries: UTF-8, or the declared charset of a text that is not JSON. */
export interface TextReader {
  write(bytes: Buffer): string;
  end(): string;
  /** Whether there were bytes that are invalid in the charset; the text has U+FFFD in their place. */
  invalid(): boolean;
}

export function textReader(contentType: string): TextReader {
  const charset = charsetOf(contentType);
  if (charset !== 'utf-8') return decodingReader(charset);
  /** Nearly every piece of an answer is whole UTF-8, for which decoders and their setting up take ten times as long. */
  let decoding: TextReader | null = null;
  let isFirst = true;
  return {
    write(bytes) {
      // A decoder leaves out the mark that a text may begin with.
      if (decoding === null && !(isFirst && bytes[0] === 0xef) && isUtf8(bytes)) {
        isFirst &&= bytes.length === 0;
        return bytes.toString('utf8');
      }
      decoding ??= decodingReader(charset, isFirst);
      return decoding.write(bytes);
    },
    end: () => decoding?.end() ?? '',
    invalid: () => decoding?.invalid() ?? false,
  };
}

/** @param isFirst a byte order mark at the beginning is no part of the text */
function decodingReader(charset: string, isFirst = true): TextReader {
  const decoder = new TextDecoder(charset, { ignoreBOM: !isFirst });
  /** Only notices invalid bytes: a strict decoder cannot continue after an error. */
  const strict = new TextDecoder(charset, { fatal: true });
  let invalid = false;
  const check = (bytes: Buffer | undefined): void => {
    if (invalid) return;
    try {
      strict.decode(bytes, { stream: bytes !== undefined });
    } catch {
      invalid = true;
    }
  };
  return {
    write(bytes) {
      check(bytes);
      return decoder.decode(bytes, { stream: true });
    },
    end() {
      check(undefined);
      return decoder.decode();
    },
    invalid: () => invalid,
  };
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
