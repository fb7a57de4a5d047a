import type { Capability } from '../capabilities.js';
import { fewTrials, judgedAsSent, type AssessedForm, type UsableForm } from './assess-form.js';
import { leftOut } from './left-out.js';
import { failsFrom, isAskedAbove } from './restrictions.js';
import { trialsIn, type Evidence } from './evidence.js';
import { groupBy } from '../../json/group-by.js';
import type { SharedReach } from '../shared-failures-reach.js';
import { metText } from '../shared-failures-text.js';
import { withoutModel } from '../../cell/cell-key.js';

/** A form that would have come first. */
export interface RejectedForm {
  readonly assessed: AssessedForm;
  /** A behaviour of the model warns against it. */
  readonly isWarnedAgainst: boolean;
  /** As the report shows it; undefined where only other capabilities tell of the form. */
  readonly capability: Capability | undefined;
}

/**
 * The sentence that gives the reason; before it, where nothing can be relied on, what spoils the answers of any form.
 * @param met shared failures of the model that the forms meet
 */
export function because(
  best: UsableForm | null,
  rejected: readonly RejectedForm[],
  met: readonly SharedReach[] = [],
): string {
  const reasons = rejected.map(reasonAgainst);
  const against = reasons.join(reasons.some((one) => one.includes(',')) ? '; ' : ', ');
  if (best === null) {
    const spoilt = met.map((one) => `${metText(one)}. `).join('');
    return `${spoilt}None of the forms that were asked for this need can be relied on: ${against}.`;
  }
  const { form, reliability } = best;
  const how = conditionsOf(best);
  const works = `${form.capability} passes${how === '' ? '' : ` ${how}`}${reliability === 'flaky' ? ' in most trials' : ''}${knownFrom(best)}`;
  return `${withRemark(works, against)}${form.care === null ? '' : `; ${form.care}`}.`;
}

/** In parentheses, of which two do not follow one another. */
function withRemark(sentence: string, remark: string): string {
  if (remark === '') return sentence;
  return sentence.endsWith(')') ? `${sentence.slice(0, -1)}; ${remark})` : `${sentence} (${remark})`;
}

/** Fewer than this leave much open; of very few a caveat tells. */
const wellKnown = 10;

function knownFrom(usable: UsableForm): string {
  const { total } = trialsIn(judgedAsSent(usable));
  return total < fewTrials || total >= wellKnown ? '' : `, known from ${total} trials`;
}

/** "with max_tokens >= 1280, thinking=disabled and the word json in the messages, without streaming" */
function conditionsOf(usable: UsableForm): string {
  const { choice } = usable.found;
  const { labels, below } = choice;
  const sent = Object.entries(labels).flatMap(([name, label]) => sentAs(name, label));
  const caps = below === null ? capText(usable) : [belowText(usable, below)];
  const left = [
    ...leftOut(choice),
    ...(choice.noCap ? ['max_tokens'] : []),
    ...(labels['stream'] === 'false' ? ['streaming'] : []),
  ];
  const parts = [
    ...(caps.length + sent.length > 0 ? [`with ${joined([...caps, ...sent])}`] : []),
    ...(left.length > 0 ? [`without ${joined(left)}`] : []),
  ];
  return parts.join(' and ');
}

/** A cap that nothing failed below is no bound: it is only what the form was asked with. */
function capText({ found: { choice, holding }, cap }: UsableForm): string[] {
  if (cap === null) return [];
  if (choice.from !== null) return [`max_tokens >= ${cap}`];
  const smaller = holding.some((one) => one.cap !== null && one.cap < cap);
  return [`max_tokens ${cap}${smaller ? '' : ' (it was asked with no smaller one)'}`];
}

/** Where no larger cap was asked with these settings, nothing is known of a bound. */
function belowText(usable: UsableForm, below: number): string {
  if (usable.cap === null || failsFrom(usable, below) || isAskedAbove(usable)) return `max_tokens < ${below}`;
  return `max_tokens ${usable.cap} (it was asked with no larger one)`;
}

function sentAs(name: string, label: string | null): string[] {
  if (label === null || (name === 'stream' && label === 'false')) return [];
  if (name === 'json_word') return ['the word json in the messages'];
  if (name === 'tools') return ['a single tool'];
  if (name === 'stream') return ['streaming'];
  return [`${name}=${label}`];
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

function reasonAgainst({ assessed, isWarnedAgainst, capability }: RejectedForm): string {
  const name = assessed.form.capability;
  if (isWarnedAgainst && assessed.reliability !== 'none') return `a behaviour warns against ${name}`;
  switch (assessed.reliability) {
    case 'reliable':
      return `${name} was not held to values`;
    case 'awkward':
      return `${name} passes only ${conditionsOf(assessed)}`;
    case 'flaky':
      return `${name} is flaky`;
    case 'none':
      if (assessed.judged.every(({ trials }) => trials.passed === trials.total))
        return `${name} passed ${times(trialsIn(assessed.judged).total)}, which may be luck where other forms fail at times`;
      return assessed.onlyValuesWrong
        ? `${name} gives wrong values`
        : `${name} ${failing(capability, assessed.judged)}`;
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `all ${count} times`;
}

function failing(capability: Capability | undefined, judged: readonly Evidence[]): string {
  switch (capability?.verdict) {
    case 'fail':
      return 'fails';
    case 'flaky':
      return 'is flaky';
    case 'pass':
      return `passes by itself, but not all requests of its form do, and no setting explains when: ${failedIn(judged)}`;
    case 'partial':
    case 'inconclusive':
    case undefined:
      return `fails in part, and no setting explains when: ${failedIn(judged)}`;
  }
}

const mostNamed = 3;

/** "streaming/chat passed 5 of 7 trials, json-word/word[word=absent] 2 of 3 and 4 more" */
function failedIn(judged: readonly Evidence[]): string {
  const byCell = [...groupBy(judged, ({ cell }) => withoutModel(cell.key))]
    .map(([key, ofCell]) => ({ key, ...trialsIn(ofCell) }))
    .filter(({ passed, total }) => passed < total);
  const [first, ...others] = byCell
    .slice(0, mostNamed)
    .map(({ key, passed, total }, index) =>
      index === 0
        ? `${key} passed ${passed} of ${total === 1 ? '1 trial' : `${total} trials`}`
        : `${key} ${passed} of ${total}`,
    );
  const more = byCell.length - mostNamed;
  return joined([first ?? '', ...others, ...(more > 0 ? [`${more} more`] : [])]);
}
