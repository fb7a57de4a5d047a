import { groupBy } from '../../json/group-by.js';
import { sum } from '../../stats/sum.js';
import { howTheyEnded } from '../failed-requests-text.js';
import type { Report, ReportUnmeasured } from '../report-format.js';
import { saidByService } from '../said-by-service.js';
import { isLasting } from './unmeasured-groups.js';

/** So many things that requests share have a note each, and so many models are named in one. */
const mostNotes = 3;
const mostNamed = 6;

/** The notes of a run about what its models did not answer at all, though they answered other requests. */
export function unmeasuredGroupNotes({ unmeasured = [] }: Pick<Report, 'unmeasured'>): readonly string[] {
  const alike = [...groupBy(unmeasured.filter(isLasting), ({ shared }) => shared).values()];
  const more = alike.slice(mostNotes);
  return [
    ...alike
      .slice(0, mostNotes)
      .map((groups) => (groups.length === 1 ? groups.map(ofOne).join('') : ofSeveral(groups))),
    ...(more.length === 0 ? [] : [`${counted(cellsIn(more.flat()), 'more cell')} got no usable answer at all`]),
  ];
}

/** "none of its 8 requests with stream: true got a usable answer (cut off), while all 152 others did" */
export function unansweredText({
  shared,
  requests,
  kinds,
  others: { answered, of },
}: Pick<ReportUnmeasured, 'shared' | 'requests' | 'kinds' | 'others'>): string {
  const which = shared === null ? '' : ` with ${shared}`;
  const none =
    requests === 1 ? `its only request${which} got no` : `none of its ${number(requests)} requests${which} got a`;
  const did = othersText(answered, of);
  return `${none} usable answer (${howTheyEnded(kinds)}), while ${did} did`;
}

function ofOne(group: ReportUnmeasured): string {
  const { model, cells, detail } = group;
  const why = detail === null ? '' : `: ${saidByService(detail)}`;
  return `${model}: ${unansweredText(group)}; ${counted(cells.length, 'cell')} could not be measured${why}`;
}

function ofSeveral(groups: readonly ReportUnmeasured[]): string {
  const named = groups
    .slice(0, mostNamed)
    .map(({ model, requests, kinds }) => `${model} (${number(requests)}: ${howTheyEnded(kinds)})`);
  const more = groups.length > mostNamed ? ` and ${groups.length - mostNamed} more` : '';
  const shared = groups[0]?.shared ?? '';
  return `${groups.length} models gave no usable answer to any request with ${shared}, though they answered others: ${named.join(', ')}${more}; ${counted(cellsIn(groups), 'cell')} could not be measured`;
}

const cellsIn = (groups: readonly ReportUnmeasured[]): number => sum(groups.map(({ cells }) => cells.length));

const number = (value: number): string => value.toLocaleString('en');

const counted = (amount: number, noun: string): string => `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`;

function othersText(answered: number, of: number): string {
  if (answered < of) return `${number(answered)} of ${number(of)} others`;
  return of === 1 ? 'the only other one' : `all ${number(of)} others`;
}
