import { stringify } from 'yaml';
import { UserError, hasErrors, userError } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { checkAgainst } from '../files/shipped-schema.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { compareTexts } from '../json/compare-texts.js';
import { digest } from '../json/digest.js';
import { groupBy } from '../json/group-by.js';
import { isObject, objectsIn, type Json, type JsonObject, parsedJson, writtenJson } from '../json/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import { decodedPart, maskedJson, type Mask } from '../masking/mask-json.js';
import { asWrittenNow, headerShape, librariesIn, reportNames } from './header-shape.js';

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
 * The lasting part of a request, whatever its ids, dates, prompts and random names: an entry of shapes.lock.yaml, the
 * public format `chatspec-shapes/1`.
 */
export interface RequestShape {
  /** For people: `json_schema invoice (strict), streamed`. Not compared. */
  readonly call: string;
  /** `POST /chat/completions` */
  readonly request: string;
  /** By name: the version. Of libraries that send the same, each is named. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers that only report. Not compared as a shape; absent in older locks. */
  readonly reports?: readonly string[];
  /** Fields by name, with their types; choices, flags and JSON Schemas as they are. */
  readonly body: Json;
  /** By name: SHA-256 of the canonical JSON of each schema. */
  readonly schemas: Readonly<Record<string, string>>;
}

/** The shape of one request, without keys. */
export function shapeOf(request: CapturedRequest, mask: Mask): RequestShape {
  const { authorization, ...others } = request.headers;
  // Of a credential, only how it is sent.
  const scheme = authorization === undefined ? undefined : (/^(?:Bearer|Basic) /.exec(authorization)?.[0] ?? '');
  const headers = {
    ...(maskedJson(others, mask) as CapturedRequest['headers']),
    ...(scheme !== undefined && { authorization: `${scheme}string` }),
  };
  const body = maskedJson(request.body, mask);
  const { pathname, searchParams } = new URL(request.url, 'http://loopback');
  const parts = pathname.split('/').map(decodedPart);
  const path = parts.map((part) => (id.test(part) ? '{id}' : mask(part))).join('/');
  const query = [...new Set([...searchParams.keys()].map(mask))].sort().join('&');
  return {
    call: callDescription(body),
    request: `${request.method} ${path.replace(/^\/v1(?=\/)/, '')}${query && `?${query}`}`,
    libraries: librariesIn(headers),
    headers: headerShape(headers),
    reports: reportNames(headers),
    body: bodyShape(body),
    schemas: Object.fromEntries(namedSchemas(body).map(({ name, schema }) => [name, `sha256:${digest(schema)}`])),
  };
}

/** Ids as services make them up: `12345`, `file-abc123`, a UUID, or a long run of letters and digits. */
const id = /^(?:\d+|[\da-f-]{36}|[a-z]{2,8}[-_](?:(?=[a-z]*\d)[a-z\d]{4,}|[a-z\d]{16,})|(?=[a-z]*\d)[a-z\d]{16,})$/i;

/** Equal for requests of one shape, whatever library version sent them. */
export const nameOfShape = ({ request, headers, body }: RequestShape): string =>
  canonicalJson([request, headers, body]);

/**
 * The distinct shapes of all requests, in an order that does not depend on who was first. Where several libraries send
 * the same, the shape names all of them.
 */
export function distinctShapes(requests: readonly CapturedRequest[], mask: Mask): readonly RequestShape[] {
  const alike = groupBy(
    requests.map((request) => shapeOf(request, mask)),
    nameOfShape,
  );
  return [...alike.values()].map(joinedShape).sort((one, other) => compareTexts(placeOf(one), placeOf(other)));
}

function joinedShape(alike: readonly RequestShape[]): RequestShape {
  const [first, ...others] = [...alike].sort((one, other) => compareTexts(placeOf(one), placeOf(other)));
  if (first === undefined) throw new TypeError('a group without a shape');
  if (others.length === 0) return first;
  return { ...first, libraries: joinedVersions(alike), reports: joinedNames(alike.map(({ reports = [] }) => reports)) };
}

const joinedNames = (lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())].sort();

/** By the name of each library: its version, or all of them where there are several. */
export function joinedVersions(shapes: readonly Pick<RequestShape, 'libraries'>[]): RequestShape['libraries'] {
  const named = shapes.flatMap(({ libraries }) => Object.entries(libraries));
  const versions = groupBy(named, ([name]) => name);
  return Object.fromEntries(
    [...versions]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([name, all]) => {
        const each = joinedNames(all.map(([, version]) => version.split(', ')));
        return [name, each.join(', ')];
      }),
  );
}

const placeOf = (shape: RequestShape): string => writtenJson([shape.request, shape.call, shape]);

/** Why no run can ask what this request asks; null: it can. */
export function unaskableReason({ request, body }: Pick<RequestShape, 'request' | 'body'>): string | null {
  if (!/\/chat\/completions(?:\?|$)/.test(request) || !isObject(body)) return 'no chat completion';
  return 'functions' in body || 'function_call' in body ? 'functions in place of tools' : null;
}

/** In the words of the application: `json_schema invoice (strict), streamed`. */
function callDescription(body: Json): string {
  if (!isObject(body)) return 'no JSON body';
  const { response_format: format, tool_choice: choice } = body;
  const parts: string[] = [];
  if (isObject(format) && typeof format['type'] === 'string') {
    const schema = isObject(format['json_schema']) ? format['json_schema'] : {};
    parts.push([format['type'], nameIn(schema), schema['strict'] === true ? '(strict)' : ''].filter(Boolean).join(' '));
  }
  const tools = objectsIn(body['tools']).map((tool) => (isObject(tool['function']) ? nameIn(tool['function']) : '?'));
  if (tools.length > 0) {
    const named = isObject(choice) ? 'object' : choice;
    const how = typeof named === 'string' ? ` (${named})` : '';
    parts.push(`tools ${[...new Set(tools)].join(', ')}${how}`);
  }
  if (objectsIn(body['messages']).some(({ role }) => role === 'tool')) parts.push('with a tool result');
  if (parts.length === 0) parts.push('messages' in body ? 'plain text' : 'no messages');
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
function namedSchemas(body: Json): readonly { readonly name: string; readonly schema: JsonObject }[] {
  if (!isObject(body)) return [];
  const { response_format: format, tools, functions } = body;
  const holders = [
    [isObject(format) ? format['json_schema'] : undefined, 'schema'],
    ...objectsIn(tools).map((tool) => [tool['function'], 'parameters'] as const),
    ...objectsIn(functions).map((one) => [one, 'parameters'] as const),
  ] as const;
  return holders.flatMap(([holder, member]) => {
    const schema = isObject(holder) ? holder[member] : undefined;
    return isObject(holder) && isObject(schema) ? [{ name: nameIn(holder) || 'unnamed', schema }] : [];
  });
}

/** Where the value itself is part of the shape: closed lists of the wire. `*` stands for any index. */
const choices: ReadonlySet<string> = new Set([
  '/messages/*/role',
  '/messages/*/content/*/type',
  '/messages/*/tool_calls/*/type',
  '/tools/*/type',
  '/tool_choice',
  '/tool_choice/type',
  '/tool_choice/mode',
  '/tool_choice/allowed_tools/mode',
  '/function_call',
  '/response_format/type',
  '/modalities/*',
  '/reasoning_effort',
  '/reasoning/effort',
  '/thinking/type',
  '/service_tier',
  '/verbosity',
]);

/** Where a JSON Schema stands, which is kept whole. */
const schemaPlaces: ReadonlySet<string> = new Set([
  '/response_format/json_schema/schema',
  '/response_format/schema',
  '/tools/*/function/parameters',
  '/tools/*/parameters',
  '/functions/*/parameters',
  '/text/format/schema',
]);

/** Lists of which only the kinds of items matter, not how many there are of each. */
const repeatedItemPaths: ReadonlySet<string> = new Set([
  '/messages',
  '/messages/*/content',
  '/messages/*/tool_calls',
  '/stop',
]);

const wholeNumbers = /^\/(?:n|seed|top_logprobs|max_tokens|max_completion_tokens|max_output_tokens)$/;

/**
 * The tree of a body: fields with the types of their values, choices and flags as they are, and JSON Schemas whole;
 * members in the order of their names. What prompts say does not matter.
 */
function bodyShape(body: Json): Json {
  return parsedJson(canonicalJson(shapeAt(body, ''))) as Json;
}

function shapeAt(value: Json, place: string): Json {
  if (schemaPlaces.has(place)) return value;
  if (Array.isArray(value)) {
    const shapes = (value as readonly Json[]).map((item) => shapeAt(item, `${place}/*`));
    return repeatedItemPaths.has(place)
      ? [...new Map(shapes.map((shape) => [canonicalJson(shape), shape])).values()]
      : shapes;
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, shapeAt(member, `${place}/${name}`)]),
    );
  }
  if (typeof value === 'string') return choices.has(place) ? value : 'string';
  if (typeof value === 'number') return wholeNumbers.test(place) && Number.isInteger(value) ? 'integer' : 'number';
  return value;
}

const head = `# What your client libraries send. chatspec shapes check compares it with what is sent now;
# chatspec shapes record writes it anew. No keys, prompts, ports or dates are in it.
`;

/** The text of shapes.lock.yaml. */
export function lockText(shapes: readonly RequestShape[]): string {
  return head + stringify({ format: 'chatspec-shapes/1', shapes }, { lineWidth: 120, aliasDuplicateObjects: false });
}

/**
 * Reads a lock file, without keys. Throws a UserError with the place if it is none, or if it is missing.
 * @param use what it is read for: `compare with`
 */
export async function readLock(file: string, use: string, mask: Mask): Promise<readonly RequestShape[]> {
  const read = readText(file);
  if (!read.ok && read.missing) {
    throw userError(`there is no ${file} to ${use}`, 'write it once: chatspec shapes record -- CMD');
  }
  if (!read.ok) throw new UserError([read.problem]);
  const source = parseYaml(read.text, file);
  if (hasErrors(source.problems)) throw new UserError(source.problems);
  const misfits = await checkAgainst('shapes', source);
  if (misfits.length > 0) throw new UserError(misfits);
  const { shapes } = source.data as unknown as { readonly shapes: readonly (JsonObject & RequestShape)[] };
  // Somebody else may have written it. The hashes of schemas look like keys.
  return shapes.map((shape) => ({
    ...asWrittenNow(maskedJson(shape, mask) as typeof shape),
    schemas: shape.schemas,
  }));
}
