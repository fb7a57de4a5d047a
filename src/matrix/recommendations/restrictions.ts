import type { Count } from '../../stats/count.js';
import { chanceOfAsMany } from '../../stats/rule-of-succession.js';
import { unlikely } from '../../stats/unlikely.js';
import type { UsableForm } from './assess-form.js';
import { covers, type Choice } from './choice.js';
import { trialsIn, type Evidence } from './evidence.js';
import { leftOut } from './left-out.js';
import { unlikelyWhereNothingWavers } from './luck.js';
import { withoutFailure } from './standards.js';

/**
 * The restrictions of a choice that no setting can say. That something does not work is said only where requests that
 * differ in nothing else pass without it, or where the service refuses it; otherwise only how the form is known.
 */
export function restrictions(usable: UsableForm): string[] {
  const { choice } = usable.found;
  return [
    ...leftOut(choice).map((name) => `${memberText(usable, name)}: leave it out`),
    ...(choice.noCap ? [`${noCapText(usable)}: leave it out`] : []),
    ...(choice.below === null ? [] : [`${belowText(usable, choice.below)}: send no more than is set`]),
    ...(choice.labels['tools'] === 'one' ? [toolsText(usable)] : []),
    ...(choice.labels['strict'] === 'false' ? [`${strictText(usable)}: validate`] : []),
  ];
}

/** Whether requests pass with smaller caps and fail with larger ones, from this one on. */
export function failsFrom({ judged }: UsableForm, below: number): boolean {
  return showsContrast(
    judged.filter(({ cap }) => cap !== null),
    ({ cap }) => cap !== null && cap >= below,
    null,
  );
}

/** Whether requests with the settings of the choice were asked with larger caps. */
export function isAskedAbove({ judged, found: { choice } }: UsableForm): boolean {
  const { below } = choice;
  return judged.some((one) => covers({ ...choice, below: null }, one) && (one.cap ?? 0) >= (below ?? Infinity));
}

function memberText({ judged }: UsableForm, name: string): string {
  const isSent = ({ labels }: Evidence): boolean => labels[name] !== undefined;
  return isRefused(judged, isSent) || showsContrast(judged, isSent, name)
    ? `${name} does not work`
    : `known without ${name} only`;
}

function noCapText({ judged }: UsableForm): string {
  const isSent = ({ cap }: Evidence): boolean => cap !== null;
  return isRefused(judged, isSent) || showsContrast(judged, isSent, null)
    ? 'max_tokens does not work'
    : 'known without max_tokens only';
}

function belowText(usable: UsableForm, below: number): string {
  if (failsFrom(usable, below)) return `max_tokens of ${below} and more does not work`;
  const most = Math.max(...usable.found.holding.flatMap(({ cap }) => cap ?? []));
  return `known with max_tokens up to ${most} only`;
}

function toolsText({ judged, found: { choice } }: UsableForm): string {
  const failing = judged.filter((one) => one.labels['tools'] === 'several' && !withoutFailure.isGood(one));
  if (failing.some(({ cell }) => cell.class === 'wrong_function')) {
    return 'with several tools the wrong function may be called: send only the one tool that is meant, and check the name';
  }
  const alike = failing.filter((one) => covers(withoutLabel(choice, 'tools'), one));
  const { passed, total } = trialsIn(alike);
  return alike.length === 0
    ? 'known with a single tool only: send only the one that is meant'
    : `several tools do not work (${passed} of ${total} trials passed): send only the one that is meant`;
}

function strictText({ judged }: UsableForm): string {
  const isStrict = ({ labels }: Evidence): boolean => labels['strict'] === 'true';
  return showsContrast(judged, isStrict, 'strict') ? 'only without strict' : 'known without strict only';
}

function withoutLabel(choice: Choice, name: string): Choice {
  return { ...choice, labels: Object.fromEntries(Object.entries(choice.labels).filter(([own]) => own !== name)) };
}

/** The service says of a request that a member of it is not accepted, and everything without it passes. */
function isRefused(judged: readonly Evidence[], isSent: (one: Evidence) => boolean): boolean {
  const failing = judged.filter((one) => !withoutFailure.isGood(one));
  const isRefusal = ({ cell }: Evidence): boolean =>
    cell.class === 'http_error' && (cell.reason === 'parameter_rejected' || cell.reason === 'unknown');
  return failing.some((one) => isSent(one) && isRefusal(one)) && !failing.some((one) => !isSent(one) && isRefusal(one));
}

/**
 * Whether requests that differ in nothing but this pass without it and fail with it, by more than luck.
 * @param label the label that may differ; null: the cap
 */
function showsContrast(judged: readonly Evidence[], isWith: (one: Evidence) => boolean, label: string | null): boolean {
  const [bad, good] = [
    judged.filter((one) => isWith(one) && !withoutFailure.isGood(one)),
    judged.filter((one) => !isWith(one) && withoutFailure.isGood(one)),
  ];
  const pairs = (one: Evidence, others: readonly Evidence[]): boolean =>
    others.some((other) => isEqualBut(one, other, label));
  const failing = trialsIn(bad.filter((one) => pairs(one, good)));
  const passing = trialsIn(good.filter((one) => pairs(one, bad)));
  return failing.total > 0 && passing.total > 0 && !mayBeAlike(passing, failing);
}

function mayBeAlike(passing: Count, failing: Count): boolean {
  return chanceOfAsMany(passing, failing) > (failing.passed === 0 ? unlikelyWhereNothingWavers : unlikely);
}

/** The same probe with the same labels but this one; the caps may differ where nothing else may. */
function isEqualBut(one: Evidence, other: Evidence, label: string | null): boolean {
  if (one.probe !== other.probe || (label !== null && one.cap !== other.cap)) return false;
  const names = new Set([...Object.keys(one.labels), ...Object.keys(other.labels)]);
  return [...names].every((name) => name === label || one.labels[name] === other.labels[name]);
}
