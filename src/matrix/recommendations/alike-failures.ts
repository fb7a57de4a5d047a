import type { OutcomeClass } from '../../judge/outcome-classes.js';
import { groupBy } from '../../json/group-by.js';
import type { Count } from '../../stats/count.js';
import { chanceOfAsMany } from '../../stats/rule-of-succession.js';
import { unlikely } from '../../stats/unlikely.js';
import { judgedAsSent, type UsableForm } from './assess-form.js';
import { kindNamed, trialsIn, type Evidence } from './evidence.js';
import { isUnreliable, withoutFailure } from './standards.js';

/** Failures that any request may meet. Others, such as a violated schema or a call that is missing, belong to one form. */
const ofAnyForm: ReadonlySet<OutcomeClass | null> = new Set([
  'malformed_response',
  'unexpected_finish_reason',
  'filtered',
  'refused',
  'empty_content',
]);

/**
 * That requests of another form fail at times, in a way in which this one could fail as well, where it passed so seldom
 * that it may only have been lucky.
 * @param others what was judged of the model, without what fails for a reason of its own
 */
export function alikeFailures(usable: UsableForm, others: readonly Evidence[]): string[] {
  const own = judgedAsSent(usable);
  const held = trialsIn(own);
  const keys = new Set(own.map(({ cell }) => cell.key));
  const alike = others.filter((one) => !keys.has(one.cell.key) && !one.isSearched && isSentLike(own, one));
  if (!own.every(withoutFailure.isGood)) return [];
  return [...groupBy(alike, ({ shape }) => shape)].flatMap(([shape, kind]) => {
    const failing = kind.filter((one) => !withoutFailure.isGood(one));
    // What always fails has a reason of its own.
    if (shape === null || !failing.some(({ trials }) => trials.passed > 0)) return [];
    if (!failing.every(({ cell }) => couldFailSo(own, shape, cell))) return [];
    const known = trialsIn(kind);
    return isUnreliable(known) && chanceOfAsMany(held, known) > unlikely ? [textOf(shape, known, held)] : [];
  });
}

/** The same kind of answer, without settings that the form was not asked with. */
export function isSentLike(own: readonly Evidence[], { labels, optional }: Evidence): boolean {
  const isShared = (name: string): boolean => own.some((one) => one.labels[name] === labels[name]);
  return labels['json_word'] !== 'absent' && isShared('stream') && [...optional].every(isShared);
}

function couldFailSo(own: readonly Evidence[], shape: string, { class: kind, reason }: Evidence['cell']): boolean {
  if (ofAnyForm.has(kind) || (kind === 'http_error' && reason === 'server_error')) return true;
  return kind === 'not_json' && isDocument(shape) && own.every((one) => one.shape !== null && isDocument(one.shape));
}

const isDocument = (shape: string): boolean => kindNamed(shape).startsWith('json_');

function textOf(shape: string, { passed, total }: Count, held: Count): string {
  const passes = held.total === 1 ? 'a single pass' : `${held.total} passes`;
  return `${kindNamed(shape)} fails at times (${passed} of ${total} trials passed), so ${passes} may be luck: check each answer`;
}
