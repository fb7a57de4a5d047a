import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { remembered } from '../../json/remembered.js';
import { httpResponse, type HttpResponse } from '../http/response.js';

/** Returns the recorded answer of a file. */
export type ReplayedAnswers = (file: string) => HttpResponse;

/**
 * Reads recorded answers, each once, from the first of the folders that has them. The function it returns throws when a
 * file is missing or lies outside the folders.
 */
export function replayedAnswersIn(...folders: readonly string[]): ReplayedAnswers {
  return remembered(1000, (file: string) => {
    const inside = folders.map((folder) => [resolve(folder), resolve(folder, file)] as const);
    const paths = inside.filter(([folder, path]) => path.startsWith(`${folder}/`)).map(([, path]) => path);
    const path = paths.find((candidate) => existsSync(candidate)) ?? paths[0];
    if (path === undefined) throw new TypeError(`${file} lies outside ${folders.join(', ')}`);
    return parseRecorded(readFileSync(path, 'latin1'));
  });
}

/** Keeps only the content type; the other headers belong to the recorded connection. */
function parseRecorded(recorded: string): HttpResponse {
  const end = recorded.search(/\r?\n\r?\n/);
  const head = recorded.slice(0, end);
  const body = recorded.slice(end).replace(/^\r?\n\r?\n/, '');
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(head)?.[1] ?? 200);
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? 'application/json';
  return httpResponse(status, { 'content-type': type }, [Buffer.from(body, 'latin1')]);
}
