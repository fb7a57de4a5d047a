import { bodyBytes, type HttpResponse } from './response.js';

/** An answer as far as it will be sent. */
export interface SeenAnswer {
  /** Text of the request's body. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without what is repeated at its end. */
  readonly body: Uint8Array;
  /** false: the connection breaks, hangs or goes on for ever. */
  readonly complete: boolean;
}

export function seenAnswer(request: string, { status, headers, parts, repeat, ending }: HttpResponse): SeenAnswer {
  return { request, status, headers, body: bodyBytes(parts), complete: ending === 'end' && repeat === null };
}
