import type { Report } from '../../matrix/report-format.js';

/** What to do about models that the service no longer knows. A baseline cannot accept that. */
export function goneSentence(gone: Report['models'], config = 'chatspec.yaml'): string {
  const names = gone.map(({ id }) => id).join(', ');
  const [is, them] = gone.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${names} ${is} gone, which a baseline cannot accept: remove ${them} from ${config}, or set a retirement date (retired: YYYY-MM-DD).`;
}
