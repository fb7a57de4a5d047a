const clock = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const calendar = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** "24 Nov, 17:02" */
export const timeText = (iso: string): string => clock.format(new Date(iso));
/** "24 Nov" */
export const dayText = (iso: string): string => calendar.format(new Date(iso));

/** "44.8 ms", "1.2 s"; "–": not known. */
export function millisecondsText(value: number | null): string {
  if (value === null) {
    return '–';
  }
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Number(value.toPrecision(3))} ms`;
}
