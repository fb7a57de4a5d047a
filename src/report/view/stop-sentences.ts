import { count } from './phrases.js';
import type { BudgetUsedUp, Stop, StopReason } from '../../journal/stop.js';

type Sentences = { readonly [Kind in StopReason['kind']]: (stop: Extract<StopReason, { kind: Kind }>) => string };

/** What each stop means, for people: in notes of reports, details of cells, progress and advice. */
const sentences: Sentences = {
  budget: budgetSentence,
  interrupted: () => 'the run was interrupted',
  quota: ({ answered_by, detail, confirmed_by }) =>
    `${confirmed_by === undefined ? `${answered_by} answered that its` : `${answered_by}, and ${confirmed_by} to a plain request, answered that the account's`} quota is used up${detail === null ? '' : `: ${detail}`}`,
  long_pause: ({ answered_by, seconds }) => `${answered_by} asks for a pause of ${seconds} s`,
  overloaded: ({ answered_by, status, seconds }) =>
    `${answered_by} refused every request for ${seconds} s${status === null ? '' : ` (HTTP ${status})`}`,
  overshoot: ({ answered_by }) => `${answered_by} wrote more than max_tokens allowed, so the budget could not be kept`,
  cut_off: () => 'the run was cut off',
  missing_shard: ({ shard, of }) => `shard ${shard} of ${of} is missing`,
  not_recorded: () => 'this was not part of the recorded run',
  other: ({ why }) => why,
};

export const stopKinds = Object.keys(sentences) as readonly StopReason['kind'][];

/** Why nothing more was asked: a sentence without a capital letter or a full stop. */
export function stopSentence(stop: StopReason): string {
  const sentence = sentences[stop.kind] as (stop: StopReason) => string;
  return sentence(stop);
}

/** The note about a stop in a report. */
export function stopNote(stop: Stop): string {
  if (stop.kind === 'missing_shard') return `${stopSentence(stop)}: its cells were not run`;
  const what = stop.model ?? stop.target;
  return `${what === null ? 'stopped' : `stopped ${what}`}: ${stopSentence(stop)}`;
}

/** "budget of 5,000 requests" */
export function budgetText({ unit, limit, shard_part }: BudgetUsedUp): string {
  const noun = limit === 1 ? unit.replace(/s$/, '') : unit;
  const budget = unit === 'cost' ? `cost budget of ${limit}` : `budget of ${limit.toLocaleString('en')} ${noun}`;
  return `${budget}${shard_part ? " (this shard's part)" : ''}`;
}

function budgetSentence(stop: BudgetUsedUp): string {
  const { unanswered = 0 } = stop;
  const lost =
    unanswered === 0
      ? ''
      : `; ${count(unanswered, 'request')} of it ${unanswered === 1 ? 'was' : 'were'} sent before an interruption and never answered`;
  return `${budgetText(stop)} used up${lost}`;
}
