import { count } from '../view/phrases.js';

/** From which run on something has been so. */
export interface Since {
  /** When that run began; null: earlier runs are counted, but not known. */
  readonly at: string | null;
  /** The runs that show it, this one included; those that say nothing of it do not count. */
  readonly runs: number;
  /** No run that is known shows it otherwise, so it may have been so for longer. */
  readonly open: boolean;
}

/** "since the run of 2026-11-20 (3 runs)": the one way to say it. */
export function sinceText({ at, runs, open }: Since): string {
  if (at === null) return runs === 1 ? 'since this run' : `for ${runs} runs in a row`;
  const first = open ? ', the first that is known' : '';
  return runs === 1 ? `since this run${first}` : `since the run of ${dayOf(at)}${first} (${count(runs, 'run')})`;
}

/** "since the run of 2026-11-18 (3 runs), passed last on 2026-11-17"; empty if nothing is known. */
export function pastText({
  since,
  lastPassed,
}: {
  readonly since: Since | null;
  readonly lastPassed: string | null;
}): string {
  const passed = lastPassed === null ? [] : [`passed last on ${dayOf(lastPassed)}`];
  return [...(since === null ? [] : [sinceText(since)]), ...passed].join(', ');
}

/** Of several things: the same for all, or what the first of them says; null: no earlier run shows any of them. */
export function sinceAmong(all: readonly Since[]): string | null {
  const [first] = [...all].sort((one, other) => other.runs - one.runs);
  if (first === undefined || first.runs === 1) return null;
  const same = all.every(({ runs, at }) => runs === first.runs && at === first.at);
  return same ? sinceText(first) : `the first of them ${sinceText(first)}`;
}

/** `2026-11-20`; empty for null. */
export function dayOf(time: string | null): string {
  return time === null ? '' : time.slice(0, 10);
}
