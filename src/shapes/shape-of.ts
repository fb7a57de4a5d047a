import { digest } from '../json/digest.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { decodedPart, type Mask, maskedJson } from '../masking/mask-json.js';
import { bodyShape } from './body-shape.js';

/** A request as a client sent it. */
export interface CapturedRequest {
  readonly method: string;
  /** With the query; without the host. */
  readonly url: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: there was none, or it is not JSON. */
  readonly body: Json;
}

/**
 * What stays the same of a request when ids, dates, prompts and random names differ: an entry of shapes.lock.yaml, the
 * public format `chatspec-shapes/1`.
 */
export interface RequestShape {
  /** For people: `json_schema invoice (strict), streamed`. Not compared. */
  readonly call: string;
  /** `POST /chat/completions` */
  readonly request: string;
  /** By name: the version that the library tells. A change of nothing else is a change of the library alone. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields by name, with their types; choices, flags and JSON Schemas as they are. */
  readonly body: Json;
  /** By name: SHA-256 of the canonical JSON of each schema. */
  readonly schemas: Readonly<Record<string, string>>;
}

export interface ShapesLock {
  readonly format: 'chatspec-shapes/1';
  readonly shapes: readonly RequestShape[];
}

/** A schema that a library produced, where it stands in a body. */
interface SentSchema {
  readonly name: string;
  readonly schema: JsonObject;
}

/** The shape of one request, without keys. */
export function shapeOf(request: CapturedRequest, mask: Mask): RequestShape {
  const { method, url, headers, body } = requestWithoutKeys(request, mask);
  const { pathname, searchParams } = new URL(url, 'http://loopback');
  const query = [...new Set([...searchParams.keys()].map(mask))].sort();
  const path = shownPath(pathname.replace(/^\/v1(?=\/)/, ''), mask) + (query.length > 0 ? `?${query.join('&')}` : '');
  return {
    call: callOf(body),
    request: `${method} ${path}`,
    libraries: librariesIn(headers),
    headers: headerShape(headers),
    body: bodyShape(body),
    schemas: Object.fromEntries(schemasIn(body).map(({ name, schema }) => [name, `sha256:${digest(schema)}`])),
  };
}

/** Equal for requests of one shape, whatever library version sent them. */
export const nameOfShape = ({ request, headers, body }: RequestShape): string =>
  JSON.stringify([request, headers, body]);

/** The distinct shapes of all requests, in an order that does not depend on who was first. */
export function distinctShapes(requests: readonly CapturedRequest[], mask: Mask): readonly RequestShape[] {
  const shapes = new Map(
    requests
      .map((request) => shapeOf(request, mask))
      .map((shape) => [`${shape.request} ${shape.call} ${nameOfShape(shape)}`, shape]),
  );
  return [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape);
}

/** In the words of the application: `json_schema invoice (strict), streamed`. */
function callOf(body: Json): string {
  if (!isObject(body)) return 'no JSON body';
  const { response_format: format, tools, tool_choice: choice } = body;
  const parts: string[] = [];
  if (isObject(format) && typeof format['type'] === 'string') {
    const schema = isObject(format['json_schema']) ? format['json_schema'] : {};
    parts.push([format['type'], nameIn(schema), schema['strict'] === true ? '(strict)' : ''].filter(Boolean).join(' '));
  }
  if (Array.isArray(tools) && tools.length > 0) {
    const names = (tools as readonly Json[]).map((tool) =>
      isObject(tool) && isObject(tool['function']) ? nameIn(tool['function']) : '?',
    );
    const how = typeof choice === 'string' ? ` (${choice})` : isObject(choice) ? ' (object)' : '';
    parts.push(`tools ${[...new Set(names)].join(', ')}${how}`);
  }
  const roles = Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [];
  if (roles.some((message) => isObject(message) && message['role'] === 'tool')) parts.push('with a tool result');
  if (parts.length === 0) parts.push('plain text');
  if (body['stream'] === true) parts.push('streamed');
  return parts.join(', ');
}

/** Names of tools and schemas are worth reading, but what a library makes up anew each time is not. */
function nameIn({ name }: JsonObject): string {
  return typeof name === 'string' ? name.replaceAll(random, '*').slice(0, 64) : '';
}

/** A run of letters and digits that nobody would type: long, with at least two digits among the letters. */
const random = /(?=[a-z]*\d)(?=[a-z\d]*[a-z])(?=[a-z]*\d[a-z]*\d)[a-z\d]{6,}|\d{4,}/gi;

/** The JSON Schemas in a body, by the names that they are sent with. */
export function schemasIn(body: Json): readonly SentSchema[] {
  if (!isObject(body)) return [];
  const { response_format: format, tools, functions } = body;
  const found: SentSchema[] = [];
  const add = (named: Json | undefined, member: string): void => {
    if (!isObject(named)) return;
    const schema = named[member];
    if (isObject(schema)) found.push({ name: nameIn(named) || 'unnamed', schema });
  };
  if (isObject(format)) add(format['json_schema'], 'schema');
  for (const tool of Array.isArray(tools) ? (tools as readonly Json[]) : [])
    if (isObject(tool)) add(tool['function'], 'parameters');
  for (const one of Array.isArray(functions) ? (functions as readonly Json[]) : []) add(one, 'parameters');
  return found;
}

/** What the connection, the machine or the moment decides, and not the library; what an agent names is its `libraries`. */
const passing =
  /^(?:host|connection|content-length|accept-encoding|accept-language|transfer-encoding|expect|date|cookie|keep-alive|user-agent|proxy-.*|sec-.*|traceparent|tracestate|x-request-id|idempotency-key|x-stainless-(?:arch|os|runtime|runtime-version|retry-count))$/;

/** Headers whose value is part of the shape. */
const kept: ReadonlySet<string> = new Set(['content-type', 'accept', 'x-stainless-lang']);

/** The helper of the library that was called, and the limits that it sets: the shape of a value that is worth reading. */
const telling: Readonly<Record<string, RegExp>> = {
  'x-stainless-helper-method': /^[\w.]{1,60}$/,
  'x-stainless-timeout': /^\d+(?:\.\d+)?$/,
  'x-stainless-read-timeout': /^\d+(?:\.\d+)?$/,
};

/** `OpenAI/JS 6.49.0`, `ai/5.0.1`, `ai-sdk/openai-compatible/1.0.2` */
const product = /([@A-Za-z][\w.@-]*(?:\/[@A-Za-z][\w.@-]*)*)[/ ]v?(\d+(?:\.\d+)*[\w.+-]*)/g;
/** What the program runs on, rather than a library that makes requests. */
const runsOn = /^(?:runtime(?:\/.*)?|node(?:\.js)?|deno|bun|undici|python|mozilla)$/i;

/** The headers that a library decides, with values where they do not differ from run to run. Keys are never among them. */
function headerShape(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(headers).filter(isShape).sort();
  return Object.fromEntries(names.map((name) => [name, shownValue(name, headers[name] ?? '')]));
}

export function isShape(name: string): boolean {
  return !passing.test(name);
}

function shownValue(name: string, value: string): string {
  if (name === 'authorization') return `${/^\w+(?= )/.exec(value)?.[0] ?? ''} string`.trim();
  if (telling[name]?.test(value) === true) return value;
  return kept.has(name) ? value.toLowerCase() : 'string';
}

/** The libraries that a request names, with their versions. */
function librariesIn(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // What stands in brackets is a comment: of the machine, mostly.
  const agent = (headers['user-agent'] ?? '').replaceAll(/\([^)]*\)/g, ' ');
  const named = [...agent.matchAll(product)].map(([, name = '', version = '']) => [name, version] as const);
  return Object.fromEntries(named.filter(([name]) => !runsOn.test(name)));
}

/** A request without keys, wherever they stand but in the URL, whose parts `shownPath` masks. */
function requestWithoutKeys({ method, url, headers, body }: CapturedRequest, mask: Mask): CapturedRequest {
  const shown = Object.entries(headers).map(([name, value]) => [mask(name), mask(schemeOnly(name, value))] as const);
  return { method, url, headers: Object.fromEntries(shown), body: maskedJson(body, mask) };
}

/** Of a credential, only how it is sent. */
const schemeOnly = (name: string, value: string): string =>
  name === 'authorization' ? value.replace(/ .*$/s, ' ?') : value;

/** A shape of a file that somebody else may have written. The hashes of schemas look like keys. */
export function shapeWithoutKeys(shape: RequestShape, mask: Mask): RequestShape {
  const { call, request, libraries, headers, body, schemas } = shape;
  const [method = '', path = '', query] = request.split(/[ ?]/);
  return {
    ...(maskedJson({ call, libraries, headers, body }, mask) as Pick<
      RequestShape,
      'call' | 'libraries' | 'headers' | 'body'
    >),
    request: `${method} ${shownPath(path, mask)}${query === undefined ? '' : `?${mask(query)}`}`,
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, hash]) => [mask(name), hash])),
  };
}

/** Ids as services make them up: `12345`, `file-abc123`, a UUID, or a long run of letters and digits. */
const id =
  /^(?:\d+|(?:file|chatcmpl|cmpl|resp|batch|upload|part|ftjob|asst|thread|run|step|msg|vs|conv)[-_](?:(?=[A-Za-z]*\d)[A-Za-z\d]{4,}|[A-Za-z\d]{16,})|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=[A-Za-z]*\d)[A-Za-z\d]{16,})$/i;

/** A path in which ids make no difference, without keys. */
function shownPath(path: string, mask: Mask): string {
  return path
    .split('/')
    .map((part) => {
      const read = decodedPart(part);
      if (id.test(read)) return '{id}';
      const shown = mask(read);
      return shown === read ? part : shown;
    })
    .join('/');
}
