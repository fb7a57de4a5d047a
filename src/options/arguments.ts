import type { Kind } from './kinds.js';

/** What the public functions take first. Each is known by the members that the function reads, not by its class. */

type First = Pick<Kind, 'words' | 'type'>;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
const isThere = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** @param what "a run folder" */
export function pathOf(what: string): First {
  return { words: `the path of ${what}`, type: (value) => typeof value === 'string' };
}

/** @param what "targets" */
export function aListOf(what: string): First {
  return { words: `a list of ${what}`, type: Array.isArray };
}

export const aProject: First = {
  words: 'a project of `loadProject`, { config, suites, baseline }',
  type: (value) => isThere(member(value, 'config')),
};
export const aPlan: First = {
  words: 'a plan, as `planRun` gives it in { plan }',
  type: (value) => Array.isArray(member(value, 'tickets')),
};
export const aConfig: First = {
  words: 'a config of `loadConfig` or `loadProject`',
  type: (value) => Array.isArray(member(value, 'targets')),
};
export const aTarget: First = {
  words: 'a target of a config',
  type: (value) => typeof member(value, 'baseUrl') === 'string',
};
export const aReport: First = {
  words: 'a report of `makeReport` or `readReport`',
  type: (value) => isThere(member(value, 'run')) && Array.isArray(member(value, 'cells')),
};
export const anExchange: First = {
  words: 'an exchange, { request, answer, timing }',
  type: (value) => isThere(member(value, 'request')) && isThere(member(value, 'answer')),
};
export const aFormat: First = {
  words: 'a format, such as `reportFormats.md`',
  type: (value) => typeof member(value, 'render') === 'function',
};
export const aJournal: First = {
  words: 'the path of a journal, or its lines',
  type: (value) => typeof value === 'string' || (isThere(value) && Symbol.iterator in (value as object)),
};
