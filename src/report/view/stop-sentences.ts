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
  unanswered: ({ answered_by, detail }) =>
    `${answered_by} stopped answering, even a plain request${detail === null ? '' : `: ${detail}`}`,
  overshoot: ({ answered_by }) => `${answered_by} wrote more than max_tokens allowed, so the budget could not be kept`,
  cut_off: () => 'the run was cut off',
  missing_shard: ({ shard, of }) => `shard ${shard} of ${of} is missing`,
  not_recorded: () => 'this was not part of the recorded run',
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
export function budgetText(stop: BudgetUsedUp, isUnitKnown = false): string {
  const { unit, limit, shard_part } = stop;
  const noun = isUnitKnown ? '' : ` ${limit === 1 ? unit.replace(/s$/, '') : unit}`;
  const budget = unit === 'cost' ? `cost budget of ${limit}` : `budget of ${limit.toLocaleString('en')}${noun}`;
  return `${budget}${shard_part ? " (this shard's part)" : ''}`;
}

/** A budget is spent, or what is left of it is less than the next request could take. */
function budgetSentence(stop: BudgetUsedUp): string {
  const { unit, limit, unanswered = 0, spent = limit, next = 0 } = stop;
  const lost =
    unanswered === 0
      ? ''
      : `; ${count(unanswered, 'request')} of it ${unanswered === 1 ? 'was' : 'were'} sent before an interruption and never answered`;
  if (spent >= limit) return `${budgetText(stop)} used up${lost}${countedText(stop)}`;
  const could = unit === 'cost' ? `cost ${money(next)}` : `take ${count(next, 'token')}`;
  if (spent === 0) return `the next request could ${could}, more than the ${budgetText(stop, true)}`;
  const used = unit === 'cost' ? money(spent) : spent.toLocaleString('en');
  const one = unit === 'cost' || spent === 1;
  const are = (stop.unreported ?? 0) > 0 ? (one ? 'counts as' : 'count as') : one ? 'is' : 'are';
  return `the next request could ${could}, and ${used} of the ${budgetText(stop, true)} ${are} spent${countedText(stop)}`;
}

/** The report shows the figures of the service, which may be less. */
function countedText({ unit, limit, spent = limit, unreported = 0 }: BudgetUsedUp): string {
  if (unreported === 0) return '';
  if (unreported >= spent)
    return `: the service reported no usage, so chatspec counted ${unit === 'cost' ? 'it' : 'them'}`;
  const reported = spent - unreported;
  const said =
    unit === 'cost'
      ? `what the service reported cost ${money(reported)}`
      : `the service reported ${reported.toLocaleString('en')}`;
  return `: ${said}, and chatspec counted the rest`;
}

/** Small amounts keep a digit that says something. */
function money(amount: number): string {
  return amount > 0 && amount < 0.001 ? String(Number(amount.toPrecision(2))) : amount.toFixed(amount < 1 ? 4 : 2);
}
