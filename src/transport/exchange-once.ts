import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { TransportFailure } from '../chat/exchange.js';
import type { Masker } from '../masking/masker.js';
import { transportFailure, transportFailureFrom, type Phase } from './failure.js';
import { bodyReader, type BodyReader } from './response-body.js';

interface RawRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: the request is a GET. */
  readonly body: string | null;
  /** In milliseconds, of the whole exchange. */
  readonly timeOutMs: number;
  readonly maxBodyBytes: number;
  readonly masker: Masker;
  /** Called when the request has been handed to the operating system. */
  readonly sent: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface RawAnswer {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: readonly string[];
  readonly failure: TransportFailure | null;
  readonly headersMs: number | null;
  readonly piecesMs: readonly number[] | null;
  /** Of the time until the first piece, how long this process was busy itself; null where none came. */
  readonly busyMs: number | null;
  readonly totalMs: number;
}

/** How long a stream may stay open after its `[DONE]` before it counts as ended, in milliseconds. */
const graceAfterDone = 1000;

/**
 * Sends one request and collects the answer. Never rejects: an error becomes the failure of the answer, which also
 * holds everything that had arrived by then.
 */
export function exchangeOnce(dispatcher: Dispatcher, request: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const { timeOutMs, signal } = request;
    const startedAt = performance.now();
    const loadBefore = performance.eventLoopUtilization();
    let busyMs: number | null = null;
    let phase: Phase = 'connecting';
    let status: number | null = null;
    let headers: RawAnswer['headers'] = {};
    let headersMs: number | null = null;
    let body: BodyReader | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let grace: NodeJS.Timeout | undefined;

    const settle = (failure: TransportFailure | null, whole: boolean): void => {
      if (settled) return;
      settled = true;
      clearTimeout(total);
      clearTimeout(grace);
      signal?.removeEventListener('abort', interrupt);
      const totalMs = Math.round(performance.now() - startedAt);
      if (!whole) controller?.abort(new Error('given up'));
      void (body?.end(whole) ?? Promise.resolve({ body: [], times: null, failure: null })).then((collected) => {
        // One turn of the event loop later the connection is free, so that the next request can use it.
        setImmediate(() => {
          const { body: pieces, times: piecesMs } = collected;
          resolve({
            status,
            headers,
            body: pieces,
            failure: failure ?? collected.failure,
            headersMs,
            piecesMs,
            busyMs,
            totalMs,
          });
        });
      });
    };
    const interrupt = (): void => settle(transportFailure('interrupted', null, null), false);
    // Timers come before the sockets are read: what has arrived while this process was busy still counts.
    const total = setTimeout(() => {
      setImmediate(() => settle(transportFailure('total_timeout', phase, `${timeOutMs / 1000} s`), false));
    }, timeOutMs);

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
        // It is written in this turn of the event loop, right after this call.
        if (request.sent !== undefined) setImmediate(request.sent);
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
          now: () => Math.round(performance.now() - startedAt),
          onFailure: (failure) => settle(failure, false),
          onDone: () => (grace ??= setTimeout(() => settle(null, false), graceAfterDone)),
        });
      },
      onResponseData(_, chunk) {
        busyMs ??= Math.round(performance.eventLoopUtilization(loadBefore).active);
        if (!settled) body?.write(chunk);
      },
      onResponseEnd: () => settle(null, true),
      onResponseError: (_, error) => settle(transportFailureFrom(error, phase, request.origin), false),
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
    } catch (error) {
      settle(transportFailureFrom(error, phase, request.origin), false);
    }
  });
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}
