import type { JsonObject } from '../../json/json.js';
import type { Traits } from '../profiles/profile.js';
import type { HttpResponse } from './response.js';

/** Answers of models with a cache in front of them. The least recently stored is forgotten when there are too many. */
export interface AnswerCache {
  /** What is stored for the request, or else what `make` answers. */
  readonly answer: (
    rule: Traits['cache'],
    model: string,
    body: JsonObject,
    make: () => Promise<HttpResponse>,
  ) => Promise<HttpResponse>;
}

/** Characters of the messages that the short key covers. */
const shortKey = 300;

export function openAnswerCache(mostKept = 10_000): AnswerCache {
  const stored = new Map<string, Promise<HttpResponse>>();
  return {
    answer(rule, model, body, make) {
      if (rule === null) return make();
      const key = JSON.stringify([model, keyOf(rule, body)]);
      const known = stored.get(key);
      if (known !== undefined) return known;
      const made = make();
      stored.set(key, made);
      if (stored.size > mostKept)
        for (const oldest of stored.keys()) {
          stored.delete(oldest);
          break;
        }
      return made;
    },
  };
}

function keyOf(rule: NonNullable<Traits['cache']>, body: JsonObject): string {
  return rule === 'request' ? JSON.stringify(body) : JSON.stringify(body['messages'] ?? null).slice(0, shortKey);
}
