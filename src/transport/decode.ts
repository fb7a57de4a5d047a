import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Gunzip } from 'node:zlib';

/** Turns the bytes of a body into bytes without content encoding. */
export interface Inflater {
  /** Resolves when everything that the chunk gave has been handed on. */
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  destroy(): void;
}

type Decompressor = Pick<Gunzip, 'write' | 'end' | 'destroy' | 'on'>;

/** An inflater for a `content-encoding` that was not asked for; null for none, or for one that nobody knows. */
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

/** `deflate` means the zlib format, but some servers send it without its header. */
function inflate(first: Buffer): Decompressor {
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function inflater(make: (first: Buffer) => Decompressor, give: (bytes: Buffer) => void): Inflater {
  let stream: Decompressor | null = null;
  let failed: Error | null = null;
  /** Lets go on who waits: zlib does not call back after an error. */
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
    destroy() {
      stream?.destroy();
    },
  };
}

/** UTF-8 (or another declared charset of a text that is not JSON), decoded across chunk boundaries. */
export interface TextReader {
  write(bytes: Buffer): string;
  end(): string;
  /** Whether bytes came that the charset does not know; each stands as U+FFFD in the text. */
  invalid(): boolean;
}

export function textReader(contentType: string): TextReader {
  const charset = charsetOf(contentType);
  const decoder = new TextDecoder(charset);
  /** Runs beside the first only to notice: it cannot go on after an error. */
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

/** JSON and event streams are UTF-8 whatever they say; an error page of a gateway may be something else. */
function charsetOf(contentType: string): string {
  const declared = /charset="?([\w-]+)"?/i.exec(contentType)?.[1];
  if (declared === undefined || /json|event-stream/i.test(contentType)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}
