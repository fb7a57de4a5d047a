import { quirkTable } from '../../chat/quirks.js';
import type { Change, ChangeCause, ChangeScope, ChangeSince, Remedy } from '../../matrix/changes/change.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { capabilitiesText, faultsText, faultText, joinedNames, type Names } from '../sections/names.js';
import { dayText } from '../sections/run-time.js';
import { adviceText } from './advice-text.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { changes, scopes, sinceTexts, todos } = texts;

/** One sentence about a change. */
export function causeText(cause: ChangeCause, names: Names): string {
  switch (cause.code) {
    case 'gone':
      return say(changes.gone, { status: cause.status === null ? 'none' : String(cause.status) });
    case 'wireNew':
    case 'wireGone':
      return say(changes[cause.code], { quirk: quirkMeaning(cause.quirk) });
    case 'together': {
      const { class: outcome, reason, failed, total, before } = cause.shared;
      const fault = faultText({ class: outcome, reason, status: null });
      return say(changes.together, { fault, failed, total, before: before.failed, of: before.total });
    }
    case 'served': {
      const { field, before, now } = cause.served;
      return say(changes.served, { field, before: joinedNames(before, 3), now: joinedNames(now, 3) });
    }
    case 'behaviour':
      return say(changes.behaviour, { title: cause.title });
    default:
      return causeInCellsText(cause, cause.cells, names);
  }
}

function causeInCellsText(
  cause: Extract<ChangeCause, { readonly cells: readonly ReportCell[] }>,
  cells: readonly ReportCell[],
  names: Names,
): string {
  const what = capabilitiesText(
    cells.map(({ capability }) => capability),
    names,
  );
  const fault = faultsText(cells);
  switch (cause.code) {
    case 'needsMore':
    case 'needsLess':
    case 'worksUpTo':
      return say(changes[cause.code], { what, value: cause.value, before: cause.before });
    case 'worksAtNone':
      return say(changes.worksAtNone, { what, before: cause.before });
    case 'rate':
    case 'doubt': {
      const { passed, total, before } = cause;
      const counts = { passed, total, before: before.passed, of: before.total };
      return say(changes[cause.code], { what, fault: fault || 'none', ...counts });
    }
    case 'unreliable':
      return say(changes.unreliable, { what, fault: fault || 'none', passed: cause.passed, total: cause.total });
    case 'gained':
      return say(changes.gained, { what, passed: cause.passed, total: cause.total });
    case 'changed':
      return say(changes.changed, { what, fault, before: cause.before === null ? '' : faultText(cause.before) });
    case 'lost':
      return say(changes.lost, { what, fault: fault || '–', passed: cause.passed, total: cause.total });
  }
}

const quirkMeaning = (quirk: string): string =>
  Object.hasOwn(quirkTable, quirk) ? quirkTable[quirk as keyof typeof quirkTable].means : quirk;

/** Advice; empty: there is nothing to do. */
export function remedyText(remedy: Remedy): string {
  switch (remedy.code) {
    case 'wireBreaks':
      return say(todos.wireBreaks, { clients: remedy.clients.join('; ') });
    case 'behaviour':
      return remedy.advice;
    case 'failure':
      return adviceText(remedy.advice);
    default:
      return say(todos[remedy.code]);
  }
}

/** How long it has been so, with the number of runs; empty where no earlier run is known. */
export function sinceText(since: ChangeSince | null): string {
  if (since === null) return '';
  const { at, runs, isOpen } = since;
  return at === null
    ? say(sinceTexts.now)
    : say(isOpen ? sinceTexts.atLeast : sinceTexts.since, { day: dayText(at), runs });
}

/** The same where a strip shows the runs. */
export function sinceDayText(since: ChangeSince | null): string {
  if (since === null) return '';
  const { at, isOpen } = since;
  return at === null ? say(sinceTexts.now) : say(isOpen ? sinceTexts.dayAtLeast : sinceTexts.day, { day: dayText(at) });
}

/** Whether other models show the same; empty where there is no other. */
export function scopeText({ scope, since }: Pick<Change, 'scope' | 'since'>): string {
  const at = since?.at ?? null;
  const day = at === null ? 'now' : dayText(at);
  return scope === null ? '' : scopeOnDayText(scope, day);
}

function scopeOnDayText(scope: ChangeScope, day: string): string {
  switch (scope.code) {
    case 'one':
      return say(scopes.one);
    case 'all':
      return say(scopes.all, { day });
    case 'some':
      return say(scopes.some, { models: scope.models, of: scope.of });
    case 'target':
      return say(scopes.target, { targets: joinedNames(scope.targets, 2), day });
  }
}
