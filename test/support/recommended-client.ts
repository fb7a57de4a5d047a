import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Exchange, Reply, Report } from '../../src/index.js';
import { readAnswer } from '../../src/judge/index.js';

export type Recommendation = Report['recommendations'][number];
type Json = Exchange['request']['body'];
type JsonObject = Readonly<Record<string, Json>>;

/** What a client knows: the recommendation, and the patches that its own config gives the labels of settings. */
export interface Client {
  readonly ask: (body: JsonObject, headers: Readonly<Record<string, string>>) => Promise<Exchange>;
  readonly model: string;
  readonly patches: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;
}

export type Followed = Pick<Recommendation, 'need' | 'form' | 'settings'> & Partial<Pick<Recommendation, 'caveats'>>;

/** How many of these many requests got a conforming answer, and what was wrong with the first that did not. */
export interface Followup {
  readonly conforming: number;
  readonly total: number;
  readonly first: string | null;
}

const places = ['Oslo', 'Turku', 'Ghent', 'Lyon', 'Porto', 'Graz', 'Brno', 'Cork', 'Bari', 'Kiel'];
const goods = ['two lamps', 'a kettle', 'nine chairs', 'a carpet', 'some maps', 'four clocks', 'a bicycle'];

/** Of the same strictness as the documents of the built-in probes, and like none of them. */
const parcelSchema: JsonObject = {
  type: 'object',
  properties: {
    parcel: { type: 'string' },
    destination: { type: 'string' },
    weight: { type: 'number' },
    express: { type: 'boolean' },
    pieces: {
      type: 'array',
      items: {
        type: 'object',
        properties: { label: { type: 'string' }, amount: { type: 'integer' } },
        required: ['label', 'amount'],
        additionalProperties: false,
      },
    },
  },
  required: ['parcel', 'destination', 'weight', 'express', 'pieces'],
  additionalProperties: false,
};

const objectSchema: JsonObject = {
  type: 'object',
  properties: { parcel: { type: 'string' }, destination: { type: 'string' }, total_weight: { type: 'number' } },
  required: ['parcel', 'destination', 'total_weight'],
};

const ajv = new Ajv2020({ strict: false });
const conformsToParcel = ajv.compile(parcelSchema);
const conformsToObject = ajv.compile(objectSchema);

const bookParcel = {
  type: 'function',
  function: { name: 'book_parcel', description: 'Books a parcel.', strict: true, parameters: parcelSchema },
};
const openDoor = {
  type: 'function',
  function: {
    name: 'open_door',
    description: 'Opens the warehouse.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { gate: { type: 'string' } },
      required: ['gate'],
      additionalProperties: false,
    },
  },
};

/** Follows a recommendation to the letter in so many requests, each with a prompt of its own. */
export async function follow(client: Client, told: Followed, total = 30, stopAtFirst = false): Promise<Followup> {
  let conforming = 0;
  let first: string | null = null;
  for (let k = 0; k < total; k += 1) {
    const wrong = await oneAnswer(client, told, k);
    if (wrong === null) conforming += 1;
    else first ??= `request ${k}: ${wrong}`;
    if (wrong !== null && stopAtFirst) break;
  }
  return { conforming, total, first };
}

/** What is wrong with the answer; null for nothing. A caveat that says so allows repetitions. */
async function oneAnswer(client: Client, told: Followed, k: number): Promise<string | null> {
  const again = says(told, /retry/) ? 2 : 0;
  let wrong: string | null = null;
  for (let round = 0; round <= again; round += 1) {
    wrong = problemOf(await send(client, requestFor(client, told, k), `${told.need} ${k} ${round}`), told);
    if (wrong === null) return null;
  }
  return wrong;
}

/** A client's usual repetitions of what the network or the load spoilt. */
async function send({ ask, model }: Client, body: JsonObject, trial: string): Promise<Reply | string> {
  let problem = '';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const headers = { 'x-chatspec-trial': `follow ${model} ${trial}`, 'x-chatspec-attempt': String(attempt) };
    const { answer } = await ask(body, { authorization: 'Bearer sk-client', ...headers });
    // What happens after [DONE] concerns no reader of a stream.
    if (answer.failure !== null && !answer.body.join('').includes('[DONE]')) problem = answer.failure.message;
    else if (answer.status !== 200) problem = `HTTP ${String(answer.status)} ${answer.body.join('').slice(0, 120)}`;
    else {
      const reading = readAnswer(answer);
      return reading.kind === 'reply' ? reading.reply : reading.kind;
    }
    if (answer.failure === null && ![408, 429, 502, 503, 504].includes(answer.status ?? 0)) break;
  }
  return problem;
}

function says({ caveats = [] }: Followed, what: RegExp): boolean {
  return caveats.some((caveat) => what.test(caveat));
}

/** Where the recommendation is silent, requests differ: the client may do as it likes. */
function requestFor({ model, patches }: Client, told: Followed, k: number): JsonObject {
  const { settings, need } = told;
  const task = `Send ${goods[k % goods.length] ?? ''} to ${places[k % places.length] ?? ''} as parcel P${1000 + 37 * k}.`;
  const word = settings['json_word'] === 'required';
  const prompts: Readonly<Record<Recommendation['need'], string>> = {
    plain_text: `Tell me in one sentence what to know about ${places[k % places.length] ?? ''}, point ${k}.`,
    structured: `Fill in the keys parcel (string), destination (string) and total_weight (number) for this: ${task}`,
    free_json: `Give an object with the keys parcel (string), destination (string) and total_weight (number): ${task}`,
    tool_call: `Please book the parcel. ${task}`,
  };
  const system = `Be precise.${word ? ' Return only JSON.' : ''}`;
  const caps = says(told, /leave max_tokens out|leave it out/) ? [undefined] : [undefined, 512, 2048];
  const cap = settings['max_tokens'] === undefined ? caps[k % caps.length] : Number(settings['max_tokens']);
  const streams = settings['stream'] === undefined ? k % 2 === 1 : settings['stream'] === 'true';
  const body: JsonObject = {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompts[need] },
    ],
    ...formOf(told, k),
    ...(cap !== undefined && { max_tokens: cap }),
    ...(streams && { stream: true }),
  };
  return Object.entries(settings).reduce<JsonObject>((built, [axis, label]) => {
    const patch = patches[axis]?.[label];
    return { ...built, ...patch };
  }, body);
}

function formOf(told: Followed, k: number): JsonObject {
  const { form, settings, need } = told;
  if (form === 'json_object') return { response_format: { type: 'json_object' } };
  if (form === 'json_schema') {
    const strict = settings['strict'] !== 'false';
    const schema = need === 'free_json' ? objectSchema : parcelSchema;
    return { response_format: { type: 'json_schema', json_schema: { name: 'parcel', strict, schema } } };
  }
  const choice = settings['tool_choice'];
  if (choice === undefined) return {};
  const several = need === 'tool_call' && k % 3 === 2 && !says(told, /only (that|the|one) (one )?(function|tool)/);
  const named = { type: 'function', function: { name: 'book_parcel' } };
  return {
    tools: several ? [openDoor, bookParcel] : [bookParcel],
    tool_choice: choice === 'object' ? named : choice,
  };
}

function problemOf(reply: Reply | string, { form, need }: Followed): string | null {
  if (typeof reply === 'string') return reply;
  if (reply.finish_reason === 'length') return 'truncated';
  const call = reply.tool_calls[0];
  if (need === 'plain_text') {
    if (call !== undefined) return 'a call';
    return (reply.content ?? '').trim() === '' ? 'no text' : null;
  }
  if (form === 'json_object' || form === 'json_schema') {
    const value = jsonIn(reply.content);
    if (value === undefined) return `not JSON: ${String(reply.content).slice(0, 60)}`;
    const check = form === 'json_schema' && need === 'structured' ? conformsToParcel : conformsToObject;
    return check(value) ? null : ajv.errorsText(check.errors);
  }
  if (call === undefined) return `no call: ${String(reply.content).slice(0, 60)}`;
  if (call.name !== 'book_parcel') return `calls ${String(call.name)}`;
  const value = typeof call.arguments === 'string' ? jsonIn(call.arguments) : call.arguments;
  return conformsToParcel(value) ? null : `arguments: ${ajv.errorsText(conformsToParcel.errors)}`;
}

function jsonIn(text: Json | undefined): Json | undefined {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as Json) : undefined;
  } catch {
    return undefined;
  }
}
