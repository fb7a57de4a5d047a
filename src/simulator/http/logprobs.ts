import type { Json, JsonObject } from '../../json/json.js';
import { tokenize } from '../answers/tokens.js';

/** Made up, but of the right form: the tokens of the text, each with its log probability and `top` likely ones. */
export function logprobsOf(content: string | null, refusal: string | null, top: number): JsonObject {
  return { content: listOf(content, top), refusal: listOf(refusal, top) };
}

function listOf(text: string | null, top: number): Json {
  if (text === null) return null;
  return tokenize(text).map((token) => ({
    ...likely(token, 0),
    top_logprobs: [token, ...alternatives.filter((other) => other !== token)].slice(0, top).map(likely),
  }));
}

const alternatives = (
  'the a of and to in is it for on as with that by this at from or an be are not was but have they one all we ' + 'can'
).split(' ');

/** Each place in the list is half as likely as the one before it, beginning with nine in ten. */
function likely(token: string, place: number): JsonObject {
  const bytes = [...Buffer.from(token)];
  return { token, logprob: place === 0 ? Math.log(0.9) : Math.log(0.1) - place * Math.LN2, bytes };
}
