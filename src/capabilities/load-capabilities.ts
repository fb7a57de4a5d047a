import type { CapabilityMap } from './capability-map.js';

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
 * Throws a TypeError if it is no capability map or its address gives none, and an Error with the code of the file system if
 * there is no file.
 */
export function loadCapabilities<Source extends string | object>(source: Source): Loaded<Source>;
export function loadCapabilities(source: string | URL | object): CapabilityMap | Promise<CapabilityMap> {
  if (source instanceof URL) return source.protocol === 'file:' ? fromFile(source) : fetched(source);
  if (typeof source !== 'string') return checked(source);
  if (/^https?:\/\//i.test(source)) return fetched(new URL(source));
  if (/^\s*\{/.test(source)) return checked(parsed(source));
  return fromFile(source.endsWith('.json') ? source : `${source}/capabilities.json`);
}

async function fetched(url: URL): Promise<CapabilityMap> {
  // Without a name and a password in it.
  const shown = `${url.origin}${url.pathname}`;
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    const why = (cause as { readonly cause?: { readonly code?: string } }).cause?.code;
    const hint = 'check the address, and that something answers there';
    throw new TypeError(`cannot read ${shown}: no answer came${why === undefined ? '' : ` (${why})`}; ${hint}`, {
      cause,
    });
  }
  if (!response.ok) throw new TypeError(`${shown} answered with HTTP ${response.status}`);
  return checked(parsed(await response.text(), shown), shown);
}

function fromFile(path: string | URL): CapabilityMap {
  const shown = typeof path === 'string' ? path : decodeURIComponent(path.pathname);
  return checked(parsed(readText(path, shown), shown), shown);
}

function parsed(text: string, source?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${source === undefined ? '' : `${source}: `}not a capability map (it is no JSON)`, { cause });
  }
}

/** Not imported, so that a bundle for a browser, which loads from text, content or the web, needs no substitute. */
function readText(path: string | URL, shown: string): string {
  const files = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:fs');
  if (files === undefined) throw new TypeError('no file system: give the text, content or address');
  try {
    return files.readFileSync(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as { readonly code?: string; readonly message: string };
    const why = code === 'ENOENT' ? 'it does not exist' : message;
    const hint = 'name a run folder, or the capabilities.json that every run writes into it';
    throw Object.assign(new Error(`cannot read ${shown}: ${why}; ${hint}`, { cause }), { code });
  }
}

const known = 'chatspec-capabilities/1';

/** @param source where it was read: a path or an address; undefined for what a program gave */
export function checked(value: unknown, source?: string): CapabilityMap {
  const { format, models, needs, capabilities } = (value ?? {}) as Partial<CapabilityMap>;
  if (format === known && [models, needs, capabilities].every(Array.isArray)) return value as CapabilityMap;
  const hint = value instanceof Promise ? ': await it' : otherFormat(format);
  throw new TypeError(`${source === undefined ? '' : `${source}: `}not a capability map (${known})${hint}`);
}

function otherFormat(format: unknown): string {
  if (typeof format !== 'string' || format === known) return '';
  const other = `; its format is "${format.slice(0, 40)}"`;
  if (format.startsWith('chatspec-report/')) return `${other}: name the capabilities.json beside it`;
  return format.startsWith('chatspec-capabilities/') ? `${other}: read it with that version of chatspec` : other;
}
