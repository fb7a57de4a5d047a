import { digest } from '../json/digest.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Mask } from '../masking/mask-json.js';
import { bodyShape } from './body-shape.js';
import type { CapturedRequest, RequestShape, SentSchema } from './shape.js';
import { requestWithoutKeys, shownPath } from './without-keys.js';

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
