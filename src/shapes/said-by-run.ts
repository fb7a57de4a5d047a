import { isJudgement } from '../cell/verdict.js';
import type { Report, ReportCapability, ReportCell } from '../matrix/report-format.js';
import { whatFailed } from '../report/words/phrases.js';
import type { ShapeChange } from './compare-shapes.js';
import { concernedBy } from './concerned.js';

/** What a run says of everything that a change asks of its models. */
export interface SaidByRun {
  readonly supported: readonly { readonly capability: string; readonly model: string }[];
  readonly unsupported: readonly Unsupported[];
  readonly unknown: readonly Unknown[];
}

/** Something that is sent now, and that a model cannot do as far as the run knows, or only sometimes or on a condition. */
export interface Unsupported {
  readonly capability: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  /** Nothing that was sent before needs it. */
  readonly fresh: boolean;
  /** `answers that with http_error 500, tool_choice_unsupported`; `does that only with max_tokens >= 2048` */
  readonly says: string;
}

/** Something that is sent now, and of which the run does not know whether a model takes it. */
export interface Unknown {
  /** A capability, or a place of the request that belongs to none: `max_completion_tokens`. */
  readonly what: string;
  /** `TARGET/MODEL`; null: of no model of the run. */
  readonly model: string | null;
  readonly says: string;
}

export function saidByRun(change: ShapeChange, report: Report): SaidByRun {
  const { capabilities, fresh, others } = concernedBy(change);
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const supported: SaidByRun['supported'][number][] = [];
  const unsupported: Unsupported[] = [];
  const unknown: Unknown[] = [];
  for (const capability of capabilities) {
    const found = report.capabilities.filter((one) => one.capability === capability);
    if (found.length === 0) unknown.push({ what: capability, model: null, says: unasked });
    for (const { id: model } of found.length === 0 ? [] : report.models) {
      const one = found.find((other) => other.model === model);
      if (one === undefined) unknown.push({ what: capability, model, says: unasked });
      else if (one.verdict === 'inconclusive') unknown.push({ what: capability, model, says: unjudged });
      else if (one.verdict === 'pass') supported.push({ capability, model });
      else unsupported.push({ capability, model, fresh: fresh.has(capability), says: says(one, cells) });
    }
  }
  unknown.push(...others.map((what) => ({ what, model: null, says: unrelated })));
  return { supported, unsupported, unknown };
}

const unasked = 'no cell of the run asked for it';
const unjudged = 'none of the cells that asked for it could be judged';
const unrelated = 'no capability of the run is about it';

/** Without a judged cell, a run says nothing of any change. */
export const judgedCells = (report: Report): number =>
  report.cells.filter(({ verdict }) => isJudgement(verdict)).length;

function says(one: ReportCapability, cells: ReadonlyMap<string, ReportCell>): string {
  const failing = one.cells
    .flatMap((key) => cells.get(key) ?? [])
    .find(({ verdict }) => verdict === 'fail' || verdict === 'flaky');
  const failed = failing === undefined ? '' : whatFailed(failing);
  switch (one.verdict) {
    case 'partial':
      return one.condition === null ? `does that in part (${failed})` : `does that on a condition: ${one.condition}`;
    case 'flaky':
      return `does that only sometimes${failed === '' ? '' : ` (${failed})`}`;
    default:
      return failing?.class === 'http_error'
        ? `answers that with ${failed}`
        : `cannot do that${failed === '' ? '' : `: ${failed}`}`;
  }
}
