import type { RepeatedAnswers } from './repeated-answers.js';

/** "37 of 40 answers repeat an earlier one, id and all" */
export function repeatedText(one: RepeatedAnswers): string {
  const { repeated, of, of_others: others } = one;
  return `${repeated.toLocaleString('en')} of ${of.toLocaleString('en')} answers ${repeated === 1 ? 'repeats' : 'repeat'} an earlier one, id and all${whose(others, repeated)}`;
}

function whose(others: number, repeated: number): string {
  if (others === 0) return '';
  return others === repeated
    ? ', and that answered another request'
    : `, of which ${others.toLocaleString('en')} ${others === 1 ? 'repeats' : 'repeat'} the answer to another request`;
}

/** Fewer change no rate that anybody would notice. */
const notableShare = 0.1;

/** What readers of a rate must know of them. */
export function repeatedCaveats(repeated: RepeatedAnswers | undefined): string[] {
  if (repeated === undefined || (repeated.of_others === 0 && repeated.repeated < repeated.of * notableShare)) return [];
  return [
    `${repeatedText(repeated)}: ${repeated.of_others > 0 ? 'a cache mixes up requests' : 'a cache answers, so its trials show less than they seem to'}`,
  ];
}

/** More models with such answers share one note. */
const mostNotes = 3;

/**
 * The notes of a run about models whose answers come from a cache.
 * @param all by `TARGET/MODEL`
 */
export function repeatedNotes(all: ReadonlyMap<string, RepeatedAnswers>): readonly string[] {
  const found = [...all].sort(([a, one], [b, other]) => other.of_others - one.of_others || (a < b ? -1 : 1));
  const named = found.slice(0, mostNotes).map(([model, one]) => noteOf(model, one));
  const rest = found.length - named.length;
  if (rest <= 0) return named;
  return [...named, `${rest} more ${rest === 1 ? 'model repeats' : 'models repeat'} answers as well`];
}

function noteOf(model: string, one: RepeatedAnswers): string {
  const { exchange, repeats } = one.example;
  const example = `exchange ${exchange} repeats ${repeats}`;
  const what = `${model}: ${repeatedText(one)} (${example})`;
  return one.of_others > 0
    ? `${what}. A cache in front of the model takes different requests for the same: verdicts judge answers to other requests, and users get answers that are not theirs. Have its key cover the whole request, or switch it off, and measure again`
    : `${what}. A cache in front of the model answers, so repeated trials show nothing new: 20 of 20 may be one answer. Switch the cache off for this key, and measure again`;
}
