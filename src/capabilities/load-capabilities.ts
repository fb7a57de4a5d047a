import type { CapabilityMap } from './capability-map.js';
import { checked } from './checked-map.js';

type NodeProcess = {
  readonly getBuiltinModule?: (name: string) => { readFileSync(path: string | URL, encoding: 'utf8'): string };
};

type Address = `http://${string}` | `https://${string}`;

/** From the web a promise; from a text of which only the program knows what it holds, either. */
export type Loaded<Source> = Source extends string
  ? Lowercase<Source> extends Address
    ? Promise<CapabilityMap>
    : // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it lacks the key of a word, not those of a pattern
      {} extends Record<Source, 1>
      ? CapabilityMap | Promise<CapabilityMap>
      : CapabilityMap
  : Source extends URL
    ? CapabilityMap | Promise<CapabilityMap>
    : URL extends Source
      ? CapabilityMap | Promise<CapabilityMap>
      : CapabilityMap;

/**
 * Reads a capability map: the path of a capabilities.json or of its run folder, its text, its content, or its address.
 * A map from the web comes as a promise; `await` fits all.
 * Throws a TypeError if it is no capability map, and what the file system or the network throws.
 */
export function loadCapabilities<Source extends string | object>(source: Source): Loaded<Source>;
export function loadCapabilities(source: string | URL | object): CapabilityMap | Promise<CapabilityMap> {
  if (source instanceof URL && source.protocol !== 'file:') return fetched(source);
  if (source instanceof URL) return checked(JSON.parse(readText(source)));
  if (typeof source !== 'string') return checked(source);
  if (/^https?:\/\//i.test(source)) return fetched(new URL(source));
  if (/^\s*\{/.test(source)) return checked(JSON.parse(source));
  return checked(JSON.parse(readText(source.endsWith('.json') ? source : `${source}/capabilities.json`)));
}

async function fetched(url: URL): Promise<CapabilityMap> {
  const response = await fetch(url);
  if (!response.ok) throw new TypeError(`${url.href} answered with HTTP ${response.status}`);
  return checked(await response.json());
}

/** Not imported, so that a bundle for a browser, which loads from text, content or the web, needs no substitute. */
function readText(path: string | URL): string {
  const files = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:fs');
  if (files === undefined) throw new TypeError('no file system: give the text, content or address');
  return files.readFileSync(path, 'utf8');
}
