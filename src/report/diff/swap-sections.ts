import type { WholeModel } from '../../matrix/diff/changes.js';
import { needTitles } from '../../matrix/recommendations/needs.js';
import type { CapabilitySwap, UnprovenLoss } from '../../matrix/swap/capability-swaps.js';
import type { ModelDiff, ModelSwap } from '../../matrix/swap/model-swap.js';
import type { NeedSide, NeedSwap } from '../../matrix/swap/need-swaps.js';
import type { TimesSide, TimesSwap } from '../../matrix/swap/times-swaps.js';
import type { Uncompared } from '../../matrix/swap/uncompared.js';
import { count, lowered, whatFailed } from '../words/phrases.js';
import { clientRows } from './client-rows.js';

/** A part of what a swap of models means, as rows: what, and how it changes. */
export interface SwapSection {
  readonly id:
    'breaks' | 'shared' | 'gained' | 'unproven' | 'requests' | 'needs' | 'behaviours' | 'times' | 'uncompared';
  readonly title: string;
  readonly kind: 'lost' | 'gained' | 'other';
  readonly rows: readonly (readonly [what: string, ...changes: string[]])[];
}

type SwapShown = Pick<ModelDiff, 'swap' | 'base' | 'head' | 'whole' | 'clients'>;

/** A model that passes less often as a whole. */
export function wholeRow({ model, base, head, compared }: WholeModel, name: string): [string, string] {
  const counts = `${base.passed} of ${base.total} -> ${head.passed} of ${head.total} first trials`;
  return [model === '' ? name : model, `${counts} in ${count(compared, 'cell')}`];
}

/** The parts in the order in which a reader needs them; those without rows are left out. */
export function swapSections({ swap, base, head, whole, clients }: SwapShown): readonly SwapSection[] {
  const names = { base, head };
  const { broken, doubtful } = clientRows(clients);
  const breaking = swap.needs.filter(({ change }) => change === 'lost');
  const winning = swap.needs.filter(({ change }) => change === 'gained');
  const open = swap.needs.filter(({ change }) => change === 'unproven' || change === 'not_measured');
  const lost = swap.capabilities.filter(({ change }) => change !== 'gained');
  const gained = swap.capabilities.filter(({ change }) => change !== 'lost');
  const sections: readonly SwapSection[] = [
    {
      ...{ id: 'breaks', title: 'What breaks', kind: 'lost' },
      rows: [
        ...breaking.map((one) => needRow(one, names)),
        ...lost.map((one) => capabilityRow(one, 'lost')),
        ...broken,
      ],
    },
    { ...{ id: 'shared', title: 'More answers fail', kind: 'lost' }, rows: whole.map((one) => wholeRow(one, head)) },
    {
      ...{ id: 'gained', title: 'What is gained', kind: 'gained' },
      rows: [...winning.map((one) => needRow(one, names)), ...gained.map((one) => capabilityRow(one, 'gained'))],
    },
    {
      ...{ id: 'unproven', title: 'May break (could be chance)', kind: 'other' },
      rows: [...swap.unproven.map(unprovenRow), ...doubtful],
    },
    { id: 'requests', title: 'Change in requests', kind: 'other', rows: swap.requests.map(requestRow) },
    { id: 'needs', title: 'Not known', kind: 'other', rows: open.map((one) => needRow(one, names)) },
    {
      ...{ id: 'behaviours', title: 'Known behaviours that come with it', kind: 'other' },
      rows: swap.behaviours.map(({ title, advice }) => [title, advice]),
    },
    { id: 'times', title: 'Tokens, cost and time of an answer', kind: 'other', rows: swap.times.map(timesRow) },
    {
      ...{ id: 'uncompared', title: 'Not compared', kind: 'other' },
      rows: swap.uncompared.map((one) => uncomparedRow(one, names)),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

interface Names {
  readonly base: string;
  readonly head: string;
}
type Row = SwapSection['rows'][number];

function capabilityRow(one: CapabilitySwap, change: 'lost' | 'gained'): Row {
  return [one.capability, changeText(change === 'gained' ? { ...one, failure: null } : one, one[change].length)];
}

function unprovenRow(one: UnprovenLoss): Row {
  return [one.capability, changeText({ ...one, failure: null }, one.cells.length)];
}

function changeText(
  { base, head, compared, failure }: Pick<CapabilitySwap, 'base' | 'head' | 'compared' | 'failure'>,
  cells: number,
): string {
  const of = compared === 1 ? '' : `, ${cells} of ${count(compared, 'cell')}`;
  const how = failure === null ? '' : whatFailed(failure);
  return `${stateText(base)} -> ${stateText(head, how)}${of}`;
}

function stateText({ verdict, condition }: CapabilitySwap['base'], how = ''): string {
  const more = [condition ?? '', how].filter((part) => part !== '').join('; ');
  return more === '' ? verdict : `${verdict} (${more})`;
}

function needRow({ need, change, base, head }: NeedSwap, names: Names): Row {
  const title = needTitles[need];
  if (change === 'not_measured') {
    const [unknown, known, side] = base === null ? [names.base, names.head, head] : [names.head, names.base, base];
    return [title, `nothing was judged of ${unknown}; ${formOf(side, known)}`];
  }
  const [with_, without, side] = head?.form === null ? [base, names.head, head] : [head, names.base, base];
  const luck = change === 'unproven' ? ' Luck may explain it: no cell of such a form was lost or gained by more.' : '';
  const has = formOf(with_, head?.form === null ? names.base : names.head);
  return [title, `${has}; ${without}: ${lowered(side?.because ?? '')}${luck}`];
}

function formOf(side: NeedSide | null, name: string): string {
  if (side === null || side.form === null) return `no form that ${name} was asked for this need can be relied on`;
  return `${name}: ${[side.form, ...membersOf(side)].join(' ')}`;
}

/** The request's own members, not the names of a suite's axes. */
const membersOf = ({ request = {} }: Pick<NeedSide, 'request'>): readonly string[] =>
  Object.entries(request).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);

const whyTexts: Readonly<Record<ModelSwap['requests'][number]['why'], string>> = {
  needed: '',
  optional: ' (optional: the request for the old model holds, too)',
  unmeasured: ' (not known: the request for the old model could not be measured)',
  unproven: ' (perhaps: what the request for the old model lost may be chance)',
};

function requestRow({ say, for: reasons, why }: ModelSwap['requests'][number]): Row {
  const titles = reasons.map((one) => (one in needTitles ? needTitles[one as keyof typeof needTitles] : one));
  return [say, `for ${titles.join(', ')}${whyTexts[why]}`];
}

const kindTitles: Readonly<Record<string, string>> = {
  text: 'text',
  json_schema: 'json_schema',
  json_object: 'json_object',
  tools: 'tool call',
};

function timesRow({ kind, stream, cells, base, head }: TimesSwap): Row {
  const title = kindTitles[kind] ?? kind.replace('.', ': ');
  const what = stream === true ? `${title}, streamed` : title;
  if (base === null && head === null)
    return [what, 'not comparable: no cell is known to have such answers on both sides'];
  if (base === null || head === null) {
    const missing = `${base === null ? 'before' : 'now'} none was measured`;
    return [what, ...factsOf(base ?? head), missing];
  }
  const tokens = pairText('tokens', tokensOf(base), tokensOf(head));
  const cost = base.cost === null && head.cost === null ? [] : [pairText('cost', costOf(base), costOf(head))];
  const whole = pairText('whole', timeOf(base), timeOf(head));
  const same = cells === 1 ? 'the same cell' : `the same ${cells} cells`;
  return [what, tokens, ...cost, whole, `${base.answers} -> ${count(head.answers, 'answer')} to ${same}`];
}

const pairText = (name: string, was: string, is: string): string => `${name} ${was} -> ${is}`;

function factsOf(side: TimesSide | null): string[] {
  if (side === null) return [];
  const cost = side.cost === null ? [] : [`cost ${costOf(side)}`];
  return [`tokens ${tokensOf(side)}`, ...cost, `whole ${timeOf(side)}`, count(side.answers, 'answer')];
}

function tokensOf({ tokens }: TimesSide): string {
  if (tokens === null) return 'unknown';
  const { prompt, completion, reasoning } = tokens;
  const thought = reasoning > 0 ? ` (${reasoning.toLocaleString('en')} for reasoning)` : '';
  return `${prompt.toLocaleString('en')} in, ${completion.toLocaleString('en')} out${thought}`;
}

/** Without a price, or where no answer reports its usage, nothing is known. */
function costOf({ cost, tokens }: TimesSide): string {
  if (cost !== null) return costDigits(cost);
  return tokens === null ? 'unknown' : 'no price';
}

/** Never as 1e-7. */
const costDigits = (cost: number): string => cost.toLocaleString('en', { maximumSignificantDigits: 4 });

/** "850 ms", "3.4 s" */
function durationText(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(2)).toLocaleString('en')} s`;
  return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
}

/** One answer has no percentiles. */
function timeOf({ total_ms: whole, answers }: TimesSide): string {
  if (whole === null) return 'unknown';
  return answers === 1 ? durationText(whole.p50) : `${durationText(whole.p50)} / ${durationText(whole.p95)}`;
}

const whys: Readonly<Record<Uncompared['why'][number], string>> = {
  inconclusive: 'could not be measured',
  blocked: 'blocked',
  not_run: 'not run',
  not_asked: 'not asked',
};

function uncomparedRow({ capability, measured, cells, why }: Uncompared, names: Names): Row {
  const reasons = why.map((one) => whys[one]).join(', ');
  const judged = measured === 'neither' ? 'judged for neither model' : `judged for ${names[measured]} only`;
  const other = measured === 'neither' ? '' : `${measured === 'base' ? names.head : names.base}: `;
  return [capability, `${count(cells.length, 'cell')} ${judged} (${other}${reasons})`];
}
