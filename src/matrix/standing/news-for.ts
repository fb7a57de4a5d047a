/** Milliseconds. Who looks on Monday must see what Saturday's run saw. */
const newsFor = 7.5 * 24 * 3_600_000;

/** Whether what one run saw first is still news in another; both as ISO 8601. */
export function isRecent(seen: string, now: string): boolean {
  return Date.parse(now) - Date.parse(seen) < newsFor;
}
