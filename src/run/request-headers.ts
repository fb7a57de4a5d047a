import { hash, randomBytes } from 'node:crypto';
import type { RunRequest } from '../journal/read-journal.js';
import { writtenJson } from '../json/json.js';

/**
 * The headers that say to what a request belongs.
 * @param seed of the run, for the embedded service; null: a real one
 */
export function tracingHeaders(
  runId: string,
  request: RunRequest,
  seed: number | null,
): Readonly<Record<string, string>> {
  const trace = traceparent(runId, request.cell ?? request.model);
  return seed === null ? trace : { ...trace, ...simulatorHeaders(seed, request) };
}

/**
 * Names the trial and the attempt for the embedded service, so that its random choices depend on nothing else. Trials
 * at two values of a searched axis are two trials: what fails by chance at one need not fail at the other. Real
 * services never receive these headers. A request for another purpose than the probe (the control after a 5xx, the
 * client's retry) counts as another trial.
 */
function simulatorHeaders(seed: number, { model, cell, ask, send }: RunRequest): Record<string, string> {
  const purpose = { probe: [], control: ['control'], retry: [`retry${send.attempt}`] }[send.purpose];
  const value = ask?.kind === 'trial' && Object.keys(ask.patch).length > 0 ? [writtenJson(ask.patch)] : [];
  const kind = [...(ask === null ? [] : [ask.kind]), ...value, ...purpose].join('-');
  const trial = [seed, cell ?? `control@${model}`, kind, ask?.sample ?? 0, send.step].join('/');
  return { 'x-chatspec-trial': encodeURI(trial), 'x-chatspec-attempt': String(send.attempt) };
}

/**
 * W3C trace context: requests about the same things belong to one trace. The journal keeps it with the other headers.
 */
export function traceparent(...about: readonly string[]): Readonly<Record<'traceparent', string>> {
  const trace = hash('sha256', about.join(' '), 'hex').slice(0, 32);
  return { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
}
