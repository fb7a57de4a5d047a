import type { IncomingMessage } from 'node:http';
import { isObject, jsonOrUndefined, type Json, type JsonObject, writtenJson } from '../../json/json.js';
import { answer } from '../answers/answer.js';
import type { KnownTask, knownTasksIn } from '../answers/known-tasks.js';
import { withPicturesSeen, type SeenPictures } from '../answers/pictures.js';
import { promptCache } from '../answers/prompt-cache.js';
import { textToRepeat } from '../answers/quoted-text.js';
import { thinkingFor, type AnswerContext } from '../answers/thinking.js';
import type { replayedAnswersIn } from '../faults/response-actions.js';
import type { Do, Profile, Traits } from '../profiles/profile.js';
import { seededRandom } from '../profiles/seeded-random.js';
import { readRequest, type ChatRequest } from './request.js';
import { jsonResponse, serviceError, type HttpResponse, type ServiceError } from './response.js';

interface SimulatedService {
  /** The model's answer to the body of a chat completion request; `isOver`: when it has been sent. */
  readonly complete: (
    text: string,
    headers: IncomingMessage['headers'],
    isOver?: Promise<void>,
  ) => Promise<HttpResponse>;
  /** The answer to `GET /v1/models`. */
  readonly models: () => HttpResponse;
  /** The answer to `GET /v1/models/ID`. */
  readonly model: (id: string) => HttpResponse;
  /** Forgets which requests it has seen, so that the same ones get the same answers again. */
  readonly reset: () => void;
}

interface ServiceOptions {
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly findTask: ReturnType<typeof knownTasksIn>;
  /** Default: no picture is known. */
  readonly findPicture?: SeenPictures;
  readonly replayedAnswers: ReturnType<typeof replayedAnswersIn>;
  /** Actions for this request before any fault of its model; default: none. */
  readonly overridesFor?: (context: AnswerContext) => readonly Do[];
  /** The model that answers every request, whatever it names; null (the default): the one that it names. */
  readonly answeringModel?: () => string | null;
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for every request that names a model of the service. */
  readonly onRequest: (request: SeenRequest) => void;
}

/** A request as the service received it. */
export interface SeenRequest {
  readonly model: string;
  /** The client's name for the trial; null when the client gives none. */
  readonly trial: string | null;
  /** From 0. */
  readonly attempt: number;
  readonly body: JsonObject;
}

/** The memory of a service: requests and answers that it has seen. */
interface ServiceMemory {
  /** For clients that do not name their trials: the same body again is both a new trial and a retry of the last one. */
  readonly earlierRequests: Map<string, number>;
  readonly answers: Map<string, Promise<HttpResponse>>;
  /** By model. */
  readonly inFlight: Map<string, number>;
  readonly prompts: ReturnType<typeof promptCache>;
}

interface ReceivedChat {
  readonly text: string;
  readonly sent: JsonObject;
  readonly headers: IncomingMessage['headers'];
  readonly isOver: Promise<void>;
}

/** The service without its connections. */
export function createService(given: ServiceOptions): SimulatedService {
  const options: Required<ServiceOptions> = {
    findPicture: () => undefined,
    overridesFor: () => [],
    answeringModel: () => null,
    ...given,
  };
  const { profiles, answeringModel } = options;
  const memory: ServiceMemory = {
    earlierRequests: new Map(),
    answers: new Map(),
    inFlight: new Map(),
    prompts: promptCache(),
  };

  return {
    reset: () => {
      for (const part of [memory.earlierRequests, memory.answers, memory.prompts]) part.clear();
    },
    models: () => {
      return jsonResponse(200, { object: 'list', data: [...profiles.keys()].map(modelEntry) });
    },
    model: (id) => (profiles.has(id) ? jsonResponse(200, modelEntry(id)) : errorResponse(unknownModel(id))),
    complete: async (text, headers, isOver = Promise.resolve()) => {
      const sent = jsonOrUndefined(text);
      if (!isObject(sent)) return errorResponse(serviceError(400, 'The body must be a JSON object.'));
      const named = sent['model'];
      const profile = profiles.get(answeringModel() ?? (typeof named === 'string' ? named : ''));
      if (profile !== undefined) return completeAs(profile, { text, sent, headers, isOver }, memory, options);
      return errorResponse(
        typeof named === 'string'
          ? unknownModel(named)
          : serviceError(400, 'model must be a non-empty string', 'model'),
      );
    },
  };
}

function completeAs(
  profile: Profile,
  { text, sent, headers, isOver }: ReceivedChat,
  memory: ServiceMemory,
  options: Required<ServiceOptions>,
): Promise<HttpResponse> {
  const { earlierRequests, inFlight } = memory;
  const heard = withoutIgnored(sent, profile.traits);
  const body = withPicturesSeen(heard, profile.traits.pictures, options.findPicture);
  const request = readRequest(body, headers.authorization ?? null);
  const trial = textHeader(headers['x-chatspec-trial']);
  const earlier = counted(earlierRequests, trial === null ? text : `${request.model} ${trial}`);
  const attempt = wholeNumber(headers['x-chatspec-attempt']) ?? earlier;
  options.onRequest({ model: request.model, trial, attempt, body: sent });
  counted(inFlight, request.model);
  void isOver.then(() => inFlight.set(request.model, (inFlight.get(request.model) ?? 1) - 1));
  const thinking = thinkingFor(request, profile.traits.thinking);
  const refused = 'status' in thinking ? thinking : null;
  const task = latestMatchingTask(request, options.findTask);
  const random = seededRandom([options.seed, request.model, trial ?? `${text} ${earlier}`]);
  const wordsSeed = [options.seed, questionOf(body), isFixed(body) ? 0 : earlier];
  const context = {
    profile,
    request,
    sent,
    random,
    words: trial === null || isFixed(body) ? seededRandom(wordsSeed) : random,
    cachedTokens: profile.traits.caches_prompts ? memory.prompts(request.model, body) : 0,
    thinking: 'status' in thinking ? { tokens: 0 } : thinking,
    task,
    // A known task may happen to contain words that ask to repeat something.
    textToRepeat: task === null ? toRepeat(request, profile) : null,
    attempt,
    inFlight: inFlight.get(request.model) ?? 1,
    now: options.now(),
  };
  const make = (): Promise<HttpResponse> =>
    answer(context, refused, options.replayedAnswers, options.overridesFor(context));
  const { cache: rule } = profile.traits;
  return rule === null ? make() : cachedAnswer(memory.answers, cacheKey(rule, body), make);
}

function cachedAnswer(
  answers: ServiceMemory['answers'],
  key: string,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const kept = answers.get(key) ?? make();
  if (answers.size >= mostCountedKeys) answers.clear();
  answers.set(key, kept);
  return kept;
}

/** The body without the members, and the messages, that the model accepts and ignores. */
function withoutIgnored(body: JsonObject, { ignores, ignores_roles: roles }: Traits): JsonObject {
  if (ignores.length === 0 && roles.length === 0) return body;
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !ignores.includes(name)));
  const { messages } = kept;
  if (!Array.isArray(messages)) return kept;
  const read = (messages as readonly Json[]).filter(
    (message) => !(isObject(message) && typeof message['role'] === 'string' && roles.includes(message['role'])),
  );
  return { ...kept, messages: read };
}

/** Whether the same question gets the same answer each time. */
function isFixed({ temperature, seed, top_p: share }: JsonObject): boolean {
  return temperature === 0 || typeof seed === 'number' || (typeof share === 'number' && share <= greedyShare);
}

/** Below it, only the likeliest token is left. */
const greedyShare = 0.01;

/** The members that decide the words of an answer: neither the model, nor how long it may be, nor how it is sent. */
function questionOf({ messages, tools, tool_choice, response_format, seed }: JsonObject): string {
  return writtenJson([messages, tools, tool_choice, response_format, seed]);
}

function errorResponse({ status, body }: ServiceError): HttpResponse {
  return jsonResponse(status, body);
}

/** `created` is the same for all, as nothing else is known. */
function modelEntry(id: string): JsonObject {
  return { id, object: 'model', created: 1_767_225_600, owned_by: 'simulator' };
}

function unknownModel(model: string): ServiceError {
  return serviceError(404, `The model '${model}' does not exist.`, 'model', 'model_not_found');
}

function textHeader(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function wholeNumber(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

/** The task quoted by the last message that quotes one. */
function latestMatchingTask({ messages }: ChatRequest, findTask: ServiceOptions['findTask']): KnownTask | null {
  for (const { text } of messages.toReversed()) {
    const task = findTask(text);
    if (task !== null) return task;
  }
  return null;
}

/** The text to repeat as the model reads it: some always correct the same texts. */
function toRepeat({ messages }: ChatRequest, { traits }: Profile): string | null {
  const text = textToRepeat(messages);
  return text === null ? null : (traits.repeats_as[text] ?? text);
}

/** So that a long-lived service does not grow, it forgets all of them where there would be more. */
const mostCountedKeys = 100_000;

/** How often this was asked before. */
function counted(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  if (counts.size >= mostCountedKeys) counts.clear();
  counts.set(key, before + 1);
  return before;
}

/** The key under which a cache in front of the model keeps a request. */
function cacheKey(rule: NonNullable<Traits['cache']>, body: JsonObject): string {
  const begin = rule === 'request' ? writtenJson(body) : writtenJson(body['messages'] ?? null).slice(0, 300);
  return writtenJson([body['model'] ?? null, begin]);
}
