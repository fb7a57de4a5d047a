import { count } from '../view/phrases.js';
import { dayOf, isNew, type RunStart, type Since } from './since.js';

/** "since the run of 2026-11-20 (3 runs)": the one way to say it. */
export function sinceText(since: Since): string {
  return since.at === null && !isNew(since) ? fromText(since) : `since ${fromText(since)}`;
}

/** "the run of 2026-11-20 (3 runs)": what stands under a heading that says "since". */
function fromText(since: Since): string {
  const { at, runs } = since;
  if (isNew(since)) return `this run${firstKnown(since)}`;
  return at === null ? `for ${runs} runs in a row` : runOf(since);
}

const runOf = (since: Since): string =>
  `the run of ${startText(since)}${firstKnown(since)} (${count(since.runs, 'run')})`;

/** "2026-11-20", or "2026-11-20, 16:31 UTC" where the day alone would leave open which run is meant. */
export function startText({ at, severalThatDay }: RunStart | Since): string {
  if (at === null) return '';
  return `${dayOf(at)}${severalThatDay === true ? `, ${at.slice(11, 16)} UTC` : ''}`;
}

const firstKnown = ({ open }: Since): string => (open ? ', the first that is known' : '');

/** Of what ended with the run before this one. */
export const pastSinceText = (since: Since): string => `since ${runOf(since)}`;

/** "since the run of 2026-11-18 (3 runs), passed last on 2026-11-17"; empty if nothing is known. */
export function pastText({
  since,
  lastPassed,
}: {
  readonly since: Since | null;
  readonly lastPassed: RunStart | null;
}): string {
  const passed = lastPassed === null ? [] : [`passed last on ${startText(lastPassed)}`];
  return [...(since === null ? [] : [sinceText(since)]), ...passed].join(', ');
}

/** Of several things, the one that has been so for longest. */
export interface SinceOfSeveral extends Since {
  /** The others began later. */
  readonly isFirst: boolean;
}

/** null: no earlier run shows any of them. */
export function sinceAmong(all: readonly Since[]): SinceOfSeveral | null {
  const [first] = [...all].sort((one, other) => other.runs - one.runs);
  if (first === undefined || isNew(first)) return null;
  return { ...first, isFirst: !all.every(({ runs, at }) => runs === first.runs && at === first.at) };
}

/** "the first of them since the run of 2026-11-20 (3 runs)" */
export function amongText(since: SinceOfSeveral): string {
  return `${since.isFirst ? 'the first of them ' : ''}${sinceText(since)}`;
}

/** The same under a heading that says "since". */
export function amongFrom(since: SinceOfSeveral | null): string {
  if (since === null) return 'this run';
  return since.isFirst ? amongText(since) : fromText(since);
}
