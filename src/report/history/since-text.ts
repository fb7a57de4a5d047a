import type { Past } from './past.js';

/** "since 2026-11-18, passed last on 2026-11-17"; empty if nothing is known. */
export function sinceText({ since, sinceTheFirst, lastPassed }: Past): string {
  const passed = lastPassed === null ? '' : `passed last on ${dayOf(lastPassed)}`;
  if (since === null) return passed;
  const from = sinceTheFirst ? `in all runs since ${dayOf(since)}` : `since ${dayOf(since)}`;
  return passed === '' ? from : `${from}, ${passed}`;
}

/** `2026-11-20`; empty for null. */
export function dayOf(time: string | null): string {
  return time === null ? '' : time.slice(0, 10);
}
