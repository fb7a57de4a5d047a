import type { Exchange } from '../../chat/exchange.js';
import type { FindExchanges } from '../../journal/journal.js';
import type { Json } from '../../json/json.js';
import { maskBody } from '../../masking/joined-fields.js';
import type { Masker } from '../../masking/masker.js';

/**
 * The same exchanges as today's rules mask them. A journal holds no key that was known when it was written; it may be older
 * than a rule, or than a target of the config.
 */
export function maskedExchanges(find: FindExchanges, keys: Masker): FindExchanges {
  if (!keys.active) return find;
  return async function* (ids) {
    for await (const record of find(ids)) yield { ...record, exchange: maskedExchange(record.exchange, keys) };
  };
}

function maskedExchange({ request, answer, ...exchange }: Exchange, keys: Masker): Exchange {
  const headers = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [keys.mask(name), keys.mask(value)]));
  const { failure } = answer;
  const body = maskBody(answer.body.join(''), keys, failure !== null);
  return {
    ...exchange,
    request: { url: keys.mask(request.url), headers: headers(request.headers), body: maskedJson(request.body, keys) },
    answer: {
      ...answer,
      headers: headers(answer.headers),
      body: body === null ? answer.body : [body],
      failure: failure && { ...failure, message: keys.mask(failure.message) },
    },
  };
}

function maskedJson(value: Json, keys: Masker): Json {
  const shown = maskBody(JSON.stringify(value), keys, false);
  if (shown === null) return value;
  try {
    return JSON.parse(shown) as Json;
  } catch {
    return shown;
  }
}
