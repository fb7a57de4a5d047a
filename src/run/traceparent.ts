import { hash, randomBytes } from 'node:crypto';

/**
 * W3C trace context: requests about the same things belong to one trace. The journal keeps it with the other headers.
 */
export function traceparent(...about: readonly string[]): Readonly<Record<'traceparent', string>> {
  const trace = hash('sha256', about.join(' '), 'hex').slice(0, 32);
  return { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
}
