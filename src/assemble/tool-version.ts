import { readFileSync } from 'node:fs';
import { parsedJson } from '../json/json.js';

/** The version in the package's own package.json. */
export function toolVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (parsedJson(text) as { version: string }).version;
}
