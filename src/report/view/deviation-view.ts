import type { Deviation } from '../../matrix/standing/deviations.js';
import type { CellFailure, ExpectedCell, ReportCell } from '../../matrix/report-format.js';
import { sharedText } from '../../matrix/shared-failures-text.js';
import type { RunSummary } from '../history/run-summary.js';
import { deviatingSince, isNew } from '../history/since.js';
import { sinceText } from '../history/since-text.js';
import { knownText } from './known-text.js';
import { sentAgain, trialsText, whatFailed } from './phrases.js';
import { typicalFailure } from './typical-failure.js';
import { wireChange, wireDetail } from './wire-view.js';

/** A deviation as text for people. */
export interface DeviationView {
  readonly kind: Deviation['kind'];
  readonly model: string;
  readonly key: string | null;
  /** "expected to pass, now fails: http_error 500 ..." */
  readonly what: string;
  readonly detail: string | null;
  /** Note and link of the baseline entry. */
  readonly note: string | null;
  /** What to send to the service's support; null if no trial failed. */
  readonly support: string | null;
}

/** @param earlier the runs before, the oldest first, as far as they are known */
export function deviationView(deviation: Deviation, earlier: readonly RunSummary[] = []): DeviationView {
  const since = shownSince(deviation, earlier);
  if (deviation.kind === 'gone') {
    const { unreachable } = deviation.gone;
    return {
      ...{ kind: 'gone', model: deviation.model, key: null, detail: unreachable?.detail ?? null, note: null },
      what: `the service no longer knows this model${since}, while another model answers`,
      support: null,
    };
  }
  if (deviation.kind === 'wire') {
    const { model, quirk } = deviation;
    return {
      ...{ kind: 'wire', model, key: null, what: wireChange(quirk, since), detail: wireDetail(quirk), note: null },
      support: quirk.exchange === null ? null : `exchange ${quirk.exchange}`,
    };
  }
  const { cell, kind, model } = deviation;
  const { expected } = cell;
  return {
    ...{ kind, model, key: cell.key, detail: cell.detail },
    what: `${whatChanged(kind, cell)}${since}`,
    note: expected && ([expected.note, expected.link].filter((text) => text !== null).join(' ') || null),
    support: kind === 'improvement' ? null : supportLine(typicalFailure(cell)),
  };
}

function whatChanged(kind: Exclude<Deviation['kind'], 'gone' | 'wire'>, cell: ReportCell): string {
  const now = nowText(cell);
  switch (kind) {
    case 'new':
      return `not in the baseline; ${now}`;
    case 'regression':
    case 'changed':
    case 'improvement':
      return `${expectedText(cell.expected)}, ${now}${sharedWith(cell)}`;
  }
}

/** What proves the regression of a cell that does not prove it by itself. */
function sharedWith({ shared }: ReportCell): string {
  return shared === undefined ? '' : `; answers of this model fail with ${sharedText(shared)}`;
}

/** Nothing where no earlier run shows it. */
function shownSince(deviation: Deviation, earlier: readonly RunSummary[]): string {
  const since = deviatingSince(deviation, earlier);
  return isNew(since) ? '' : `, ${sinceText(since)}`;
}

function nowText(cell: ReportCell): string {
  const trials =
    cell.fresh && cell.fresh.total > 0
      ? `${cell.fresh.passed} of ${cell.fresh.total} fresh trials passed${sentAgain([cell.trials])}`
      : trialsText(cell);
  const from = cell.threshold?.value ?? null;
  const stored = cell.expected?.threshold ?? null;
  if (from !== null && stored !== null && from !== stored) return `now passes from ${from}${countAt(cell, stored)}`;
  if (from !== null && cell.verdict === 'pass') return `now passes from ${from}`;
  if (cell.verdict === 'pass') return `now passes (${trials})`;
  if (cell.expected?.verdict === 'flaky') {
    return `now passes ${cell.standing === 'improvement' ? 'more' : 'less'} often (${trials}): ${whatFailed(cell)}`;
  }
  return `now ${cell.verdict === 'fail' ? 'fails' : 'is flaky'}: ${whatFailed(cell)} (${trials})`;
}

/** " (at 1280, 0 of 8 passed)": what shows that a stored threshold has risen. */
function countAt({ threshold }: ReportCell, stored: number): string {
  const there = threshold?.curve.find(([x]) => x === stored);
  if (threshold === null || there === undefined || (threshold.value ?? 0) < stored) return '';
  return ` (at ${stored}, ${there[1]} of ${there[2]} passed)`;
}

function expectedText(expected: ExpectedCell | null): string {
  if (expected === null || expected.verdict === 'pass') {
    const from = expected?.threshold ?? null;
    return from === null ? 'expected to pass' : `expected to pass from ${from}`;
  }
  const rate = expected.total === null ? '' : `, ${expected.passed ?? 0} of ${expected.total} passed`;
  const how = whatFailed(expected);
  return `${knownText(expected)}${how || rate ? ` (${how}${how ? rate : rate.slice(2)})` : ''}`;
}

/** The ids by which support can search its logs. */
export function supportLine(failure: CellFailure | null): string | null {
  if (failure === null) return null;
  const parts = [
    failure.response_id && `id ${failure.response_id}`,
    failure.traceresponse && `traceresponse ${failure.traceresponse}`,
    failure.exchange && `exchange ${failure.exchange}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
