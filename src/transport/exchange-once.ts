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

/** Milliseconds that a stream may stay open after its `[DONE]` before it counts as ended. */
const graceAfterDone = 1000;

/** The part of an answer that has come so far. */
interface ArrivedSoFar {
  phase: Phase;
  status: number | null;
  headers: RawAnswer['headers'];
  headersMs: number | null;
  busyMs: number | null;
  body: BodyReader | null;
  controller: Dispatcher.DispatchController | null;
  /** Milliseconds since the request began. */
  readonly elapsed: () => number;
}

/** Ends an exchange, once. */
interface ExchangeEnd {
  readonly isOver: () => boolean;
  /** `whole`: the sender ended the answer; otherwise the connection is cut. */
  readonly settle: (failure: TransportFailure | null, whole: boolean) => void;
  /** The answer is whole as soon as the sender ends it, or a little later. */
  readonly settleSoon: () => void;
}

/**
 * Sends one request and collects the answer. Never rejects: an error becomes the failure of the answer, which also
 * holds everything that had arrived by then.
 */
export function exchangeOnce(dispatcher: Dispatcher, request: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const arrived: ArrivedSoFar = {
      phase: 'connecting',
      status: null,
      headers: {},
      headersMs: null,
      busyMs: null,
      body: null,
      controller: null,
      elapsed: () => Math.round(performance.now() - startedAt),
    };
    const end = openExchangeEnd(request, arrived, resolve);
    if (end.isOver()) return;
    const { origin, path, body } = request;
    const headers = request.headers as Record<string, string>;
    const method = body === null ? 'GET' : 'POST';
    try {
      dispatcher.dispatch({ origin, path, method, headers, body }, answerHandler(request, arrived, end));
    } catch (error) {
      end.settle(transportFailureFrom(error, arrived.phase, origin), false);
    }
  });
}

/** Also ends it when it takes too long, and when it is interrupted. */
function openExchangeEnd(
  { timeOutMs, signal }: RawRequest,
  arrived: ArrivedSoFar,
  resolve: (answer: RawAnswer) => void,
): ExchangeEnd {
  let settled = false;
  let grace: NodeJS.Timeout | undefined;
  const settle: ExchangeEnd['settle'] = (failure, whole) => {
    if (settled) return;
    settled = true;
    clearTimeout(total);
    clearTimeout(grace);
    signal?.removeEventListener('abort', interrupt);
    const totalMs = arrived.elapsed();
    if (!whole) arrived.controller?.abort(new Error('given up'));
    const collecting = arrived.body?.end(whole) ?? Promise.resolve({ body: [], times: null, failure: null });
    void collecting.then(({ body, times: piecesMs, failure: failureOfBody }) => {
      // One turn of the event loop later the connection is free, so that the next request can use it.
      setImmediate(() => {
        const { status, headers, headersMs, busyMs } = arrived;
        resolve({ status, headers, body, failure: failure ?? failureOfBody, headersMs, piecesMs, busyMs, totalMs });
      });
    });
  };
  const interrupt = (): void => settle(transportFailure('interrupted', null, null), false);
  // Timers come before the sockets are read: what has arrived while this process was busy still counts.
  const total = setTimeout(() => {
    setImmediate(() => settle(transportFailure('total_timeout', arrived.phase, `${timeOutMs / 1000} s`), false));
  }, timeOutMs);
  if (signal?.aborted === true) {
    interrupt();
  } else if (signal !== undefined) {
    setMaxListeners(0, signal);
    signal.addEventListener('abort', interrupt, { once: true });
  }
  return {
    isOver: () => settled,
    settle,
    settleSoon: () => (grace ??= setTimeout(() => settle(null, false), graceAfterDone)),
  };
}

function answerHandler(request: RawRequest, arrived: ArrivedSoFar, end: ExchangeEnd): Dispatcher.DispatchHandler {
  const loadBefore = performance.eventLoopUtilization();
  return {
    onRequestStart(started) {
      arrived.controller = started;
      if (end.isOver()) {
        started.abort(new Error('given up'));
        return;
      }
      arrived.phase = 'waiting';
      // The request is written in this turn of the event loop, right after this call.
      if (request.sent !== undefined) setImmediate(request.sent);
    },
    onResponseStart(_, status, headers) {
      if (end.isOver() || status < 200) return;
      arrived.phase = 'receiving';
      arrived.status = status;
      arrived.headers = headers;
      arrived.headersMs = arrived.elapsed();
      arrived.body = bodyReader({
        status,
        contentType: one(headers['content-type']),
        contentEncoding: one(headers['content-encoding']),
        maxBytes: request.maxBodyBytes,
        masker: request.masker,
        now: arrived.elapsed,
        onFailure: (failure) => end.settle(failure, false),
        onDone: end.settleSoon,
      });
    },
    onResponseData(_, chunk) {
      arrived.busyMs ??= Math.round(performance.eventLoopUtilization(loadBefore).active);
      if (!end.isOver()) arrived.body?.write(chunk);
    },
    onResponseEnd: () => end.settle(null, true),
    onResponseError: (_, error) => end.settle(transportFailureFrom(error, arrived.phase, request.origin), false),
  };
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}
