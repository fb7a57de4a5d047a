import type { SharedFailure } from '../../decide/course.js';
import { writtenJson } from '../../json/json.js';
import type { Report, ReportCell, ReportQuirk } from '../report-format.js';
import type { ServedChange } from '../served-by.js';
import { type Deviation, deviationsOf } from '../standing/deviations.js';
import type { Behaviours } from './behaviours-behind.js';
import { type ChangeKind, isDeviating } from './change.js';

/** A single deviation or doubt of a model. */
export type Symptom = { readonly kind: ChangeKind; readonly model: string; readonly deviation?: Deviation } & (
  | { readonly cell: ReportCell }
  | { readonly quirk: ReportQuirk }
  | { readonly status: number | null }
  | { readonly shared: SharedFailure }
  | { readonly served: ServedChange }
);

/** Every deviation, every doubt, every unreliable cell, and whoever else answers now. */
export function symptomsIn(report: Report): readonly Symptom[] {
  const ofCells = (kind: ChangeKind, cells: Report['cells']) =>
    cells.map((cell): Symptom => ({ kind, model: cell.model, cell }));
  return [
    ...deviationsOf(report).map(symptomOf),
    ...ofCells(
      'doubt',
      report.cells.filter(({ unsettled }) => unsettled),
    ),
    ...ofCells(
      'unreliable',
      report.cells.filter(({ standing }) => standing === 'unreliable'),
    ),
    ...report.models.flatMap(({ id, shared_failures: found = [] }) =>
      found.flatMap((shared): Symptom[] => (shared.alarm ? [] : [{ kind: 'doubt', model: id, shared }])),
    ),
    ...report.models.flatMap(({ id, served_changes: found = [] }) =>
      found.map((served): Symptom => ({ kind: 'served', model: id, served })),
    ),
  ];
}

function symptomOf(deviation: Deviation): Symptom {
  const { model } = deviation;
  switch (deviation.kind) {
    case 'gone':
      return { kind: 'gone', model, status: deviation.gone.unreachable?.status ?? null, deviation };
    case 'wire':
      return { kind: 'wire', model, quirk: deviation.quirk, deviation };
    case 'regression':
      return { kind: 'lost', model, cell: deviation.cell, deviation };
    case 'improvement':
      return { kind: 'gained', model, cell: deviation.cell, deviation };
    case 'changed':
    case 'new':
      return { kind: deviation.kind, model, cell: deviation.cell, deviation };
  }
}

type ReasonParts = readonly (string | number | null)[];

/** The same for symptoms of a model that have one explanation. */
export function reasonOf(symptom: Symptom, behaviours: Behaviours): ReasonParts {
  if ('status' in symptom) return ['gone', symptom.status];
  if ('quirk' in symptom) return ['wire', symptom.quirk.quirk, symptom.quirk.standing];
  if ('served' in symptom) return ['served', symptom.served.field, ...symptom.served.before, '', ...symptom.served.now];
  if ('shared' in symptom) {
    const { class: outcome, reason, failed, total } = symptom.shared;
    return ['together', outcome, reason, failed, total];
  }
  return reasonInCell(symptom, behaviours);
}

function reasonInCell(symptom: Extract<Symptom, { readonly cell: ReportCell }>, behaviours: Behaviours): ReasonParts {
  const { kind, cell } = symptom;
  const ofThreshold = movedThreshold(cell) === null ? null : cell.key;
  if (kind === 'gained') return [kind, ofThreshold];
  const behaviour = isDeviating(symptom) ? behaviours.get(cell.key) : undefined;
  if (behaviour !== undefined && kind !== 'changed') return [kind, behaviour.id];
  // A keyword that is not enforced is a schema that is not kept.
  const fault = cell.class === 'not_enforced' ? 'schema_violation' : cell.class;
  const now = [kind, fault, cell.reason, cell.status];
  if (kind !== 'changed') return [...now, ofThreshold];
  const { expected } = cell;
  return expected === null ? now : [...now, expected.class, expected.reason, expected.status];
}

/** null: no threshold is expected, or the search ended at the same value. */
export function movedThreshold({ threshold, expected }: Pick<ReportCell, 'threshold' | 'expected'>) {
  const [value, before] = [threshold?.value ?? null, expected?.threshold ?? null];
  if (threshold === null || before === null || value === before) return null;
  if (value === null) return { code: 'worksAtNone', before } as const;
  if (threshold.largest === true) return { code: 'worksUpTo', value, before } as const;
  return { code: value > before ? 'needsMore' : 'needsLess', value, before } as const;
}

/** The same for symptoms that two models show alike, whatever explains them. */
export function likenessOf(symptom: Symptom): string {
  if (!('cell' in symptom)) return writtenJson(reasonOf(symptom, new Map()));
  const { kind, cell } = symptom;
  return writtenJson([kind, cell.capability, cell.class, cell.reason]);
}
