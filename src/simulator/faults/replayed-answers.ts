import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { wire, type Wire } from '../http/wire.js';

/** A recorded answer by its file name. */
export type Replays = (file: string) => Wire;

/** Reads recorded answers from a folder, each once. Throws when a file is missing or lies outside of the folder. */
export function replaysIn(folder: string): Replays {
  const read = new Map<string, Wire>();
  return (file) => {
    const known = read.get(file);
    if (known !== undefined) return known;
    const path = resolve(folder, file);
    if (!path.startsWith(`${resolve(folder)}/`)) throw new TypeError(`${file} lies outside of ${folder}`);
    const made = parseRecorded(readFileSync(path, 'latin1'));
    read.set(file, made);
    return made;
  };
}

/** Only the header that tells how to read the body is taken over; the others belong to the connection of that day. */
function parseRecorded(recorded: string): Wire {
  const end = recorded.search(/\r?\n\r?\n/);
  const head = recorded.slice(0, end);
  const body = recorded.slice(end).replace(/^\r?\n\r?\n/, '');
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(head)?.[1] ?? 200);
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? 'application/json';
  return wire(status, { 'content-type': type }, [Buffer.from(body, 'latin1')]);
}
