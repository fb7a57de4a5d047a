import { isLoss, type LostModel } from '../../matrix/diff/lost-models.js';
import type { ReportDiff } from '../../matrix/diff/report-diff.js';
import { sum } from '../../stats/sum.js';
import { count } from '../words/phrases.js';
import { clientNames } from './client-rows.js';
import { listedNames } from './listed-names.js';
import { cutSentences, uncomparedSentences } from './unequal-sentences.js';

/** "3 cells lost, 0 gained.", what ended a run early, which models are missing, how many cells may be lost, and how many were not compared. */
export function diffSummary(diff: ReportDiff): string {
  return [
    ...cutSentences(diff),
    ...modelSentences(diff),
    ...uncomparedSentences(diff),
    ...unmeasuredSentence(diff),
    ...wholeSentence(diff),
    ...clientSentence(diff),
    ...cellSentences(diff),
    ...suitesSentence(diff),
  ].join(' ');
}

function unmeasuredSentence(diff: ReportDiff): string[] {
  const number = unmeasuredIn(diff);
  if (number === 0) return [];
  return [`${count(number, 'cell')} that passed in ${diff.base} could not be measured in ${diff.head}.`];
}

function wholeSentence({ whole, head }: ReportDiff): string[] {
  const names = whole.map(({ model }) => (model === '' ? head : model));
  return names.length === 0 ? [] : [`More answers of ${listedNames(names)} fail.`];
}

function suitesSentence({ suites_differ: differ }: ReportDiff): string[] {
  return differ === true
    ? ['The suites of the two runs differ, so a cell may have changed because its probe did.']
    : [];
}

function clientSentence({ clients = [] }: ReportDiff): string[] {
  const names = clientNames(clients.filter(({ rule }) => rule));
  return names.length === 0
    ? []
    : [`${count(names.length, 'client')} can no longer read the answers: ${listedNames(names)}.`];
}

const unmeasuredIn = ({ unmeasured }: ReportDiff): number => sum(unmeasured.map(({ cells }) => cells.length));

function modelSentences({ kind, models }: ReportDiff): string[] {
  const [gone, other] = [
    models.filter(({ change }) => change === 'gone'),
    // Of two models, the one that was not asked is named only here.
    models.filter(({ change, not_asked: notAsked }) => change !== 'gone' && (notAsked !== true || kind === 'models')),
  ];
  const are = gone.length === 1 ? 'is' : 'are';
  return [
    ...(gone.length === 0 ? [] : [`${count(gone.length, 'model')} ${are} gone: ${namesOf(gone)}.`]),
    ...(other.length === 0 ? [] : [`${count(other.length, 'model')} could not be measured: ${namesOf(other)}.`]),
  ];
}

const namesOf = (models: readonly LostModel[]): string => listedNames(models.map(({ model }) => model));

function cellSentences(diff: ReportDiff): string[] {
  const told = unmeasuredIn(diff);
  const apart = diff.onlyBase.length + diff.onlyHead.length - told;
  const kind = diff.runs === undefined ? diff.kind : 'runs';
  const side = { runs: 'run', models: 'model', targets: 'target' }[kind];
  const were = apart === 1 ? 'was' : 'were';
  const uncompared = `${count(apart, told === 0 ? 'cell' : 'other cell')} ${were} judged in only one ${side} and ${were} not compared.`;
  const all = diff.compared === 0 ? `Nothing was compared: no cell was judged in both ${side}s.` : lossSentence(diff);
  return apart === 0 ? [all] : [all, uncompared];
}

function lossSentence(diff: ReportDiff): string {
  const [lost, gained] = [diff.lost.length, diff.gained.length];
  if (diff.whole.length > 0 && lost === 0) return `No cell was lost by itself, ${count(gained, 'cell')} gained.`;
  const clients = diff.clients ?? [];
  const [broken, few] = [clients.filter(({ rule }) => rule), clientNames(clients.filter(({ rule }) => !rule))];
  if (lost > 0 || diff.models.some(isLoss) || broken.length > 0)
    return `${count(lost, 'cell')} lost, ${gained} gained.`;
  const doubtful = diff.rates.filter(isWorse).length;
  const proved = doubtful + few.length > 0 ? ' proved' : '';
  const of = diff.compared === 1 ? 'the one cell that was compared' : `the ${diff.compared} cells that were compared`;
  const nothing = `Nothing${proved} lost of ${of}, ${gained} gained.`;
  const open = [
    ...(doubtful === 0 ? [] : [`${count(doubtful, 'cell')} passed less often, which could be chance`]),
    ...(few.length === 0 ? [] : [`${listedNames(few)} cannot read the few answers that were compared`]),
  ];
  return open.length === 0 ? nothing : `${nothing} ${open.join(', and ')}; ${howToKnow(diff.profiles)}.`;
}

/** What certify left open, only more trials can tell. */
function howToKnow({ base, head }: ReportDiff['profiles']): string {
  const isCertified = base === 'certify' && head === 'certify';
  return isCertified ? 'more trials of both can tell, such as --trials 60' : '--profile certify asks until it is known';
}

function isWorse({ base, head }: ReportDiff['rates'][number]): boolean {
  return head.passed * base.total < base.passed * head.total;
}
