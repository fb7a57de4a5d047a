import type { Question } from '../journal/recorded-run.js';

/**
 * Tells the embedded service which trial is asking, so that its chance depends on nothing else, and which attempt it is.
 * Real services never see these headers. What is asked for another purpose than the probe (the control after a 5xx, the
 * client's retry of an answer) is another trial.
 */
export function simulatorHeaders(seed: number, { model, cell, ask, send }: Question): Record<string, string> {
  const other = { probe: [], control: ['control'], retry: [`retry${send.attempt}`] }[send.purpose];
  const kind = [...(ask === null ? [] : [ask.kind]), ...other].join('-');
  const trial = [seed, cell ?? `control@${model}`, kind, ask?.sample ?? 0, send.step].join('/');
  return { 'x-chatspec-trial': encodeURI(trial), 'x-chatspec-attempt': String(send.attempt) };
}
