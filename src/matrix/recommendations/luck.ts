import type { Count } from '../../stats/count.js';
import { chanceOfAsMany } from '../../stats/rule-of-succession.js';
import { unlikely } from '../../stats/unlikely.js';
import { coveredBy, covers, partsOf, type Choice } from './choice.js';
import { trialsIn, type Evidence } from './evidence.js';

/** Where nothing was seen to pass and fail by turns, one failure against one pass is too little, two against one enough. */
export const unlikelyWhereNothingWavers = 0.3;

/** Of several forms of a model, one is lucky more easily than a given one. */
const unlikelyAmongForms = 0.01;

/**
 * Whether requests under a choice may have passed by luck: something that it leaves out fails, and if the two did not
 * differ, so many passes would not be surprising. A form that passes at times always has some requests that were lucky,
 * and the more choices there are to look at, the more of them. The background is how often other forms of the model pass.
 */
export function mayBeLuck(choice: Choice, all: readonly Evidence[], background: Count | null): boolean {
  const holding = coveredBy(choice, all);
  const held = trialsIn(holding);
  if (background !== null && chanceOfAsMany(held, background) > unlikelyAmongForms) return true;
  if (partsOf(choice).length === 0) return false;
  const looks = waysToChoose(all, partsOf(choice).length);
  // Several restrictions may each leave out what another one leaves out as well.
  const wavering = unsettledAmong(all.filter((one) => !covers(choice, one)).filter(wavers));
  if (wavering.total > 0 && chanceOfAsMany(held, wavering) * looks > unlikely) return true;
  return partsOf(choice).some(({ rest, single, name }) => {
    // Without a cap, it is the service that chooses one, and it may choose different ones.
    const compared =
      name !== null
        ? coveredBy(rest, all)
        : all.filter((one) => covers(rest, one) && (single.noCap || one.cap !== null));
    const leftOut = compared.filter((one) => !covers(single, one));
    const alike = unsettledAmong(leftOut);
    if (alike.passed === alike.total) return false;
    if (alike.passed === 0) return chanceOfAsMany(held, alike) > unlikelyWhereNothingWavers;
    const isLuck = (some: Count, like: Count): boolean => chanceOfAsMany(some, like) * looks > unlikely;
    return (
      isLuck(held, alike) ||
      commonToWavering(leftOut).some(({ has }) => {
        const same = trialsIn(holding.filter(has));
        return same.total > 0 && isLuck(same, unsettledAmong(leftOut.filter(has)));
      })
    );
  });
}

/**
 * The labels that everything has which is left out and wavers, and the caps up to the largest of it. Either may be why it
 * fails at times; then what has it as well and holds was only lucky, whatever became of requests with other labels or more
 * tokens.
 */
function commonToWavering(leftOut: readonly Evidence[]): readonly { readonly has: (one: Evidence) => boolean }[] {
  const wavering = leftOut.filter(wavers);
  const [first, ...others] = wavering;
  const labels = Object.entries(first?.labels ?? {})
    .map(([name, label]) => ({ has: ({ labels }: Evidence) => labels[name] === label }))
    .filter(({ has }) => others.every(has));
  const caps = wavering.flatMap(({ cap }) => cap ?? []);
  if (caps.length === 0 || caps.length < wavering.length) return labels;
  const most = Math.max(...caps);
  return [...labels, { has: ({ cap }) => cap !== null && cap <= most }];
}

/**
 * The trials that show how often a request passes that is left out. Where every failing request failed in all of several
 * trials, the others passed for a reason of their own, and so tell nothing of the rate; where requests that were sent
 * once failed, those that passed once may be no better.
 */
function unsettledAmong(leftOut: readonly Evidence[]): Count {
  const failing = leftOut.filter(({ trials }) => trials.passed < trials.total);
  const isSeenOnce = failing.some(({ trials }) => trials.total === 1);
  const once = leftOut.filter(({ trials }) => trials.total === 1 && trials.passed === 1);
  return trialsIn(isSeenOnce ? [...failing, ...once] : failing);
}

function wavers({ trials: { passed, total } }: Evidence): boolean {
  return passed > 0 && passed < total;
}

/** How many choices of so many restrictions, or fewer, there were to look at. */
function waysToChoose(all: readonly Evidence[], restrictions: number): number {
  const names = new Set(all.flatMap(({ labels }) => Object.keys(labels)));
  const values = [...names].map((name) => new Set(all.map(({ labels }) => labels[name])).size);
  const counts = [...values, new Set(all.map(({ cap }) => cap)).size].filter((count) => count > 1);
  // Of each size: the elementary symmetric polynomials of the numbers of values.
  const ofSize = [1, ...Array.from({ length: restrictions }, () => 0)];
  for (const count of counts)
    for (let size = restrictions; size > 0; size -= 1)
      ofSize[size] = (ofSize[size] ?? 0) + count * (ofSize[size - 1] ?? 0);
  return ofSize.slice(1).reduce((sum, one) => sum + one, 0);
}
