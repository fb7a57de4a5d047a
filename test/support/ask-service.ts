import { fileURLToPath } from 'node:url';
import { isObject, type Json, type JsonObject } from '../../src/json/json.js';
import { knownTasksIn } from '../../src/simulator/answers/known-tasks.js';
import { loadProfiles } from '../../src/simulator/profiles/load-profiles.js';
import type { Fault, Profile, Traits } from '../../src/simulator/profiles/profile.js';
import { replayedAnswersIn } from '../../src/simulator/faults/response-actions.js';
import { createService } from '../../src/simulator/http/service.js';
import { bodyBytes, type HttpResponse } from '../../src/simulator/http/response.js';

export const profilesFolder = fileURLToPath(new URL('../../fixtures/profiles/', import.meta.url));
export const samplesFolder = fileURLToPath(new URL('../../fixtures/samples/', import.meta.url));

/** Changes to the reference profile. */
export interface Changes {
  readonly faults?: readonly Fault[];
  readonly thinking?: Partial<Traits['thinking']>;
  readonly traits?: Partial<Omit<Traits, 'thinking'>>;
  readonly seed?: number;
}

type Service = ReturnType<typeof createService>;

const reference = loadProfiles([profilesFolder]).then(({ profiles }) => profiles.get('sim-reference')!);
const knowledge = knownTasksIn(samplesFolder);

/** The service without sockets, with one model named `m`. */
export async function serviceWith({ faults = [], thinking, traits, seed = 1 }: Changes = {}): Promise<Service> {
  const base = await reference;
  const profile: Profile = {
    ...base,
    id: 'm',
    faults,
    traits: { ...base.traits, ...traits, thinking: { ...base.traits.thinking, ...thinking } },
  };
  const replays = replayedAnswersIn(profilesFolder);
  const profiles = new Map([['m', profile]]);
  return createService({
    profiles,
    findTask: knowledge,
    replayedAnswers: replays,
    seed,
    now: () => 1_795_000_000_000,
    onRequest: () => undefined,
  });
}

export interface Asked {
  readonly wire: HttpResponse;
  readonly text: string;
  readonly body: JsonObject;
  readonly choice: JsonObject;
  readonly message: JsonObject;
  readonly content: string;
  /** The first call with its arguments parsed; undefined without one. */
  readonly call: { readonly name: string; readonly arguments: Json } | undefined;
}

/** Sends one request and reads the answer as if it were not streamed. */
export async function ask(request: JsonObject, changes: Changes = {}, headers = {}): Promise<Asked> {
  return askService(await serviceWith(changes), request, headers);
}

export async function askService(service: Service, request: JsonObject, headers = {}): Promise<Asked> {
  const wire = await service.complete(JSON.stringify({ model: 'm', ...request }), headers);
  const text = bodyBytes(wire.parts).toString();
  const read = parsedOr(text);
  const body = isObject(read) ? read : {};
  const [choice = {}] = (body['choices'] ?? []) as readonly JsonObject[];
  const message = (choice['message'] ?? {}) as JsonObject;
  const calls = (message['tool_calls'] ?? []) as unknown as readonly {
    function: { name: string; arguments: string };
  }[];
  const named = calls[0]?.function;
  return {
    wire,
    text,
    body,
    choice,
    message,
    content: typeof message['content'] === 'string' ? message['content'] : '',
    call: named && { name: named.name, arguments: parsedOr(named.arguments) },
  };
}

function parsedOr(text: Json): Json {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as Json) : text;
  } catch {
    return text;
  }
}

/** The chunks of a streamed answer, without `[DONE]` and comments. */
export function chunksOf(text: string): readonly JsonObject[] {
  return text
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as JsonObject);
}

export function user(content: string): Json {
  return [{ role: 'user', content }];
}

export function jsonSchema(schema: Json, name = 'thing', strict = true): JsonObject {
  return { response_format: { type: 'json_schema', json_schema: { name, strict, schema } } };
}

export function tool(name: string, parameters: Json, description = ''): Json {
  return { type: 'function', function: { name, description, parameters } };
}
