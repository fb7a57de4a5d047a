import type { Capability } from '../capabilities.js';
import type { NeedForm } from '../../suite/probe.js';
import type { NeedName } from '../../suite/suite-file.js';
import { needNames } from './needs.js';
import type { Recommendation, ReportCell, ReportModel } from '../report-format.js';
import { groupBy } from '../../json/group-by.js';

export interface RecommendationsInput {
  readonly models: readonly ReportModel[];
  readonly capabilities: readonly Capability[];
  readonly cells: readonly ReportCell[];
  /** Best first. */
  readonly forms: readonly NeedForm[];
}

/** A form with its capability as one model has it. */
interface MeasuredForm {
  readonly form: NeedForm;
  readonly capability: Capability;
}

/** A flaky form is good enough with validation and a retry when its worst cell passes at least this often. */
const usableRate = 0.9;

/** The findings of a run, as every recommendation needs them. */
interface Findings {
  readonly forms: readonly NeedForm[];
  readonly byModel: ReadonlyMap<string, readonly Capability[]>;
  /** The pass rate of the worst cell, by model and capability. */
  readonly worstRates: ReadonlyMap<string, number>;
}

/** Which form to use for each need on each model that was reached. A need whose forms were not judged is left out. */
export function recommendationsOf({ models, capabilities, cells, forms }: RecommendationsInput): Recommendation[] {
  const byModel = groupBy(capabilities, (capability) => capability.model);
  const findings = { forms, byModel, worstRates: worstRatesOf(cells) };
  return models
    .filter((model) => model.reachable)
    .flatMap((model) => needNames.flatMap((need) => recommendation(need, model.id, findings) ?? []));
}

function recommendation(need: NeedName, model: string, findings: Findings): Recommendation | null {
  const { byModel, worstRates } = findings;
  const measured = measuredForms(need, model, findings);
  if (measured.length === 0) return null;
  const best =
    measured.find(({ capability }) => isReliable(capability)) ??
    measured.find(({ capability }) => (worstRates.get(id(capability)) ?? 0) >= usableRate);
  const form = best?.form.capability ?? null;
  return {
    ...{ model, need, form },
    settings: best ? { ...best.form.settings, ...best.capability.explained?.settings } : {},
    because: because(measured, best, best && worstRates.get(id(best.capability))),
    alternatives: [...byModel.keys()].filter((other) => other !== model && serves(need, other, form, findings)),
  };
}

/** The forms of a need that were judged on a model, best first. */
function measuredForms(need: NeedName, model: string, { forms, byModel }: Findings): MeasuredForm[] {
  const capabilities = byModel.get(model) ?? [];
  return forms
    .filter((form) => form.need === need)
    .flatMap((form) =>
      capabilities
        .filter(({ capability, verdict }) => capability === form.capability && verdict !== 'inconclusive')
        .map((capability) => ({ form, capability: withBudget(form, capability, capabilities) })),
    );
}

/** A form that fails at the token cap of its basic example can be reliable from a higher cap on, as its budget shows. */
function withBudget({ budget }: NeedForm, capability: Capability, capabilities: readonly Capability[]): Capability {
  if (isReliable(capability)) return capability;
  const measured = capabilities.find((other) => other.capability === budget);
  const enough = measured?.explained?.settings['max_tokens'];
  if (measured === undefined || enough === undefined || !isReliable(measured)) return capability;
  const { condition, explained } = measured;
  return { ...capability, verdict: 'partial', condition, explained };
}

function isReliable({ verdict, explained }: Capability): boolean {
  return verdict === 'pass' || (verdict === 'partial' && explained !== null && !explained.namesProbe);
}

/** Another model serves the need when the same form passes there, or any form when this model has none. */
function serves(need: NeedName, model: string, form: string | null, findings: Findings): boolean {
  return measuredForms(need, model, findings).some(
    (measured) => measured.capability.verdict === 'pass' && (form === null || measured.form.capability === form),
  );
}

function because(measured: readonly MeasuredForm[], best: MeasuredForm | undefined, rate: number | undefined): string {
  const rejected = measured
    .slice(0, best ? measured.indexOf(best) : measured.length)
    .map(({ capability }) => reasonAgainst(capability));
  if (!best) return `None of the forms can be relied on: ${rejected.join(', ')}.`;
  const { capability, form } = best;
  const works =
    capability.verdict === 'pass'
      ? `${capability.capability} passes`
      : capability.condition
        ? `${capability.capability} passes ${inSentence(capability.condition)}`
        : `${capability.capability} passes in ${percent(rate ?? 0)} of the trials, so validate and retry once`;
  const instead = rejected.length > 0 ? ` (${rejected.join(', ')})` : '';
  return `${works}${instead}${form.care ? `; ${form.care}` : ''}.`;
}

/** Why a better form is not recommended. */
function reasonAgainst({ capability, verdict, condition }: Capability): string {
  switch (verdict) {
    case 'fail':
      return `${capability} fails`;
    case 'flaky':
      return `${capability} is flaky`;
    case 'partial':
      return condition === null
        ? `${capability} fails in part, and no setting explains when`
        : `${capability} passes ${inSentence(condition)}`;
    case 'pass':
      return `${capability} passes`;
    case 'inconclusive':
      return `${capability} could not be measured`;
  }
}

function inSentence(condition: string): string {
  return /^(only|not) /.test(condition) ? condition : `with ${condition}`;
}

function percent(rate: number): string {
  return `${Math.floor(rate * 100)} %`;
}

function worstRatesOf(cells: readonly ReportCell[]): Map<string, number> {
  const judged = cells.filter(({ trials }) => trials.total > 0);
  return new Map(
    [...groupBy(judged, id)].map(([key, group]) => [
      key,
      Math.min(...group.map(({ trials }) => trials.passed / trials.total)),
    ]),
  );
}

function id({ model, capability }: { readonly model: string; readonly capability: string }): string {
  return JSON.stringify([model, capability]);
}
