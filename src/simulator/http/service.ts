import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../../json/json.js';
import { answer } from '../answers/answer.js';
import { chanceFrom } from '../profiles/chance.js';
import { textToRepeat } from '../answers/echo.js';
import type { Knowledge, KnownTask } from '../answers/knowledge.js';
import type { Profile } from '../profiles/profile.js';
import { parsed } from '../answers/prompt-json.js';
import { readRequest } from './read-request.js';
import type { Replays } from '../faults/replayed-answers.js';
import type { ChatRequest } from './request.js';
import { serviceError, type ServiceError } from './service-error.js';
import { think } from '../answers/think.js';
import { createCounter } from './trial-counter.js';
import { jsonWire, type Wire } from './wire.js';

export interface Service {
  /** The model's answer to the body of a chat completion request. */
  readonly complete: (text: string, headers: IncomingMessage['headers']) => Promise<Wire>;
  /** The answer to `GET /v1/models`. */
  readonly models: () => Wire;
}

export interface ServiceParts {
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly knowledge: Knowledge;
  readonly replays: Replays;
  readonly seed: number;
  readonly now: () => number;
  /** Told of every request that names a model of the service. */
  readonly onRequest: (seen: SeenRequest) => void;
}

/** A request as the service saw it, for those who count. */
export interface SeenRequest {
  readonly model: string;
  /** What the client calls the trial; null when it does not say. */
  readonly trial: string | null;
  /** From 0. */
  readonly attempt: number;
  readonly body: JsonObject;
}

/** The service without its connections. */
export function createService({ profiles, knowledge, replays, seed, now, onRequest }: ServiceParts): Service {
  /** For clients that name no trial: the same body again is the next trial, and a retry of the one before. */
  const repeats = createCounter();

  return {
    models: () => {
      const data = [...profiles.keys()].map((id) => ({ id, object: 'model', owned_by: 'simulator' }));
      return jsonWire(200, { object: 'list', data });
    },
    complete: async (text, headers) => {
      const body = parsed(text);
      if (!isObject(body)) return refusal(serviceError(400, 'The body must be a JSON object.'));
      const request = readRequest(body, headers.authorization ?? null);
      const profile = profiles.get(request.model);
      if (profile === undefined) return refusal(unknownModel(request));
      const trial = textHeader(headers['x-chatspec-trial']);
      const earlier = repeats(trial === null ? text : `${request.model} ${trial}`);
      const attempt = wholeNumber(headers['x-chatspec-attempt']) ?? earlier;
      onRequest({ model: request.model, trial, attempt, body });
      const chance = chanceFrom([seed, request.model, trial ?? `${text} ${earlier}`]);
      const thought = think(request, profile.traits.thinking);
      const refused = 'status' in thought ? thought : null;
      const task = taskOf(request, knowledge);
      const scene = {
        profile,
        request,
        chance,
        thought: 'status' in thought ? { tokens: 0 } : thought,
        task,
        // A task that quotes odd words is still a task.
        repeat: task === null ? textToRepeat(request.messages) : null,
        attempt,
        now: now(),
      };
      return answer(scene, refused, replays);
    },
  };
}

function refusal({ status, body }: ServiceError): Wire {
  return jsonWire(status, body);
}

function unknownModel({ model, body }: ChatRequest): ServiceError {
  if (typeof body['model'] !== 'string') return serviceError(400, 'model must be a non-empty string', 'model');
  return serviceError(404, `The model '${model}' does not exist.`, 'model', 'model_not_found');
}

function textHeader(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function wholeNumber(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

/** The last message that quotes a known task decides. */
function taskOf({ messages }: ChatRequest, knowledge: Knowledge): KnownTask | null {
  for (const { text } of messages.toReversed()) {
    const task = knowledge(text);
    if (task !== null) return task;
  }
  return null;
}
