import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { TransportFailure } from '../chat/exchange.js';
import type { AnswerMemory } from './answer-memory.js';
import { bodyReader, type BodyReader } from './response-body.js';
import { startDeadline, type Deadline } from './deadline.js';
import { failed, failureOf, type Phase } from './failure.js';
import { learnSocket, type HeldSocket } from './held-socket.js';
import type { Masker } from '../masking/masker.js';

/** In milliseconds; null: only the total counts. */
export interface TimeOuts {
  readonly connectMs: number;
  readonly headersMs: number | null;
  /** Between two pieces of the body. */
  readonly bodyMs: number | null;
  readonly totalMs: number;
}

export interface RawRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: the request is a GET. */
  readonly body: string | null;
  readonly timeOuts: TimeOuts;
  readonly maxBodyBytes: number;
  readonly masker: Masker;
  /** Called when the request has been handed to the operating system. */
  readonly sent: (() => void) | undefined;
  /** Settles when nothing needs the answer any more; until then, a large one keeps other large ones waiting. */
  readonly over: Promise<void> | undefined;
  readonly memory: AnswerMemory;
  readonly signal: AbortSignal | undefined;
}

export interface RawAnswer {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: readonly string[];
  readonly failure: TransportFailure | null;
  readonly headersMs: number | null;
  readonly totalMs: number;
}

/** How long a stream may stay open after its `[DONE]` before it counts as ended, in milliseconds. */
const graceAfterDone = 1000;

/**
 * Sends one request and collects the answer. Never rejects: an error becomes the failure of the answer, which also holds
 * everything that had arrived by then.
 */
export function exchangeOnce(dispatcher: Dispatcher, request: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const { timeOuts, signal } = request;
    const startedAt = performance.now();
    let phase: Phase = 'connecting';
    let status: number | null = null;
    let headers: RawAnswer['headers'] = {};
    let headersMs: number | null = null;
    let body: BodyReader | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    /** Of the current phase; the total has its own. */
    let phaseDeadline: Deadline | null = null;
    let grace: NodeJS.Timeout | undefined;
    let socket: HeldSocket | null = null;

    /** Nobody but chatspec is late while the answer waits for room. */
    const holding = request.memory.open(() => {
      totalDeadline.goOn();
      phaseDeadline?.goOn();
      socket?.letGo();
      body?.goOn();
    });
    const hasRoom = (bytes: number): boolean => {
      const room = holding.grow(bytes);
      if (!room && !settled) {
        totalDeadline.pause();
        phaseDeadline?.pause();
        socket?.hold();
      }
      return room;
    };

    const settle = (failure: TransportFailure | null, whole: boolean): void => {
      if (settled) return;
      settled = true;
      phaseDeadline?.stop();
      totalDeadline.stop();
      clearTimeout(grace);
      socket?.letGo();
      signal?.removeEventListener('abort', interrupt);
      const totalMs = Math.round(performance.now() - startedAt);
      if (!whole) controller?.abort(new Error('given up'));
      const give = (collected: {
        readonly body: readonly string[];
        readonly failure: TransportFailure | null;
      }): void => {
        // One turn of the event loop later the connection is free, so that the next request can use it.
        setImmediate(() => {
          const release = (): void => {
            holding.release();
          };
          if (request.over === undefined) release();
          else void request.over.then(release, release);
          resolve({ status, headers, body: collected.body, failure: failure ?? collected.failure, headersMs, totalMs });
        });
      };
      if (body === null) give({ body: [], failure: null });
      else void body.end(whole).then(give);
    };
    const isConnecting = (): boolean => !settled && phase === 'connecting';
    const interrupt = (): void => settle(failed('interrupted', null, null), false);
    const within = (ms: number | null, kind: TransportFailure['kind']): void => {
      phaseDeadline?.stop();
      phaseDeadline = ms === null ? null : startDeadline(ms, () => settle(failed(kind, null, seconds(ms)), false));
    };
    const totalDeadline = startDeadline(timeOuts.totalMs, () =>
      settle(failed('total_timeout', phase, seconds(timeOuts.totalMs)), false),
    );

    if (signal?.aborted === true) {
      interrupt();
      return;
    }
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener('abort', interrupt, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) {
          started.abort(new Error('given up'));
          return;
        }
        phase = 'waiting';
        learnSocket((found) => (socket = found));
        // It is written in this turn of the event loop, right after this call.
        if (request.sent !== undefined) setImmediate(request.sent);
        within(timeOuts.headersMs, 'headers_timeout');
      },
      onResponseStart(_, code, received) {
        if (settled || code < 200) return;
        phase = 'receiving';
        status = code;
        headers = received;
        headersMs = Math.round(performance.now() - startedAt);
        body = bodyReader({
          status: code,
          contentType: one(received['content-type']),
          contentEncoding: one(received['content-encoding']),
          maxBytes: request.maxBodyBytes,
          masker: request.masker,
          hasRoom,
          onProgress,
        });
        within(timeOuts.bodyMs, 'body_timeout');
      },
      onResponseData(_, chunk) {
        if (settled || body === null) return;
        phaseDeadline?.restart();
        body.write(chunk);
      },
      onResponseEnd: () => settle(null, true),
      onResponseError: (_, error) => settle(failureOf(error, phase), false),
    };

    const onProgress = (): void => {
      if (body === null || settled) return;
      if (body.failure() !== null) {
        settle(body.failure(), false);
        return;
      }
      if (!body.done()) return;
      phaseDeadline?.stop();
      grace ??= setTimeout(() => settle(null, false), graceAfterDone);
    };

    try {
      dispatcher.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: request.body === null ? 'GET' : 'POST',
          headers: request.headers as Record<string, string>,
          body: request.body,
        },
        handler,
      );
      // Over an open connection it is on its way already.
      if (isConnecting()) within(timeOuts.connectMs, 'connect_timeout');
    } catch (error) {
      settle(failureOf(error, phase), false);
    }
  });
}

const seconds = (ms: number): string => `${ms / 1000} s`;

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}
