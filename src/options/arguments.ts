import type { Kind } from './kinds.js';

/** What the public functions take first. Each is known by the members that the function reads, not by its class. */

type First = Pick<Kind, 'words' | 'type'>;

/** @param what "a run folder" */
export const pathOf = (what: string): First => ({ words: `the path of ${what}`, type: isA('string') });
/** @param what "targets" */
export const aListOf = (what: string): First => ({ words: `a list of ${what}`, type: Array.isArray });

export const aProject = having('a project of `loadProject`, { config, suites, baseline }', { config: isA('object') });
export const aPlan = having('a plan, as `planRun` gives it in { plan }', { tickets: Array.isArray });
export const aConfig = having('a config of `loadConfig` or `loadProject`', { targets: Array.isArray });
export const aTarget = having('a target of a config', { baseUrl: isA('string') });
export const aReport = having('a report of `makeReport` or `readReport`', { run: isA('object'), cells: Array.isArray });
export const anExchange = having('an exchange, { request, answer, timing }', {
  request: isA('object'),
  answer: isA('object'),
});
export const aFormat = having('a format, such as `reportFormats.md`', { render: isA('function') });
export const aJournal: First = {
  words: 'the path of a journal, or its lines',
  type: (value) => isA('string')(value) || (isA('object')(value) && Symbol.iterator in (value as object)),
};

function isA(type: string): Kind['type'] {
  return (value) => typeof value === type && value !== null;
}

function having(words: string, members: Readonly<Record<string, Kind['type']>>): First {
  const has = (value: unknown): boolean =>
    Object.entries(members).every(([name, is]) => is((value as Readonly<Record<string, unknown>>)[name]));
  return { words, type: (value) => isA('object')(value) && has(value) };
}
