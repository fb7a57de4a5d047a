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
