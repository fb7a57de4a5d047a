import type { Capability } from '../capabilities.js';
import { type Form, formsFor, needNames } from './need-forms.js';
import type { NeedName, Recommendation, ReportCell, ReportModel } from '../report-format.js';
import { groupBy } from '../group-by.js';

export interface RecommendationsInput {
  readonly models: readonly ReportModel[];
  readonly capabilities: readonly Capability[];
  readonly cells: readonly ReportCell[];
}

/** A form with what was found of it on one model. */
interface Tried {
  readonly form: Form;
  readonly capability: Capability;
}

/** A flaky form is good enough with validation and a retry when its worst cell passes at least this often. */
const usableRate = 0.9;

/** Which form to use for each need on each model that was reached; needs of which nothing was judged are left out. */
export function recommendationsOf(input: RecommendationsInput): Recommendation[] {
  const byModel = groupBy(input.capabilities, (capability) => capability.model);
  const rates = ratesOf(input.cells);
  return input.models
    .filter((model) => model.reachable)
    .flatMap((model) => needNames.flatMap((need) => recommendation(need, model.id, byModel, rates)));
}

function recommendation(
  need: NeedName,
  model: string,
  byModel: ReadonlyMap<string, readonly Capability[]>,
  rates: ReadonlyMap<string, number>,
): Recommendation[] {
  const tried = triedFor(need, byModel.get(model) ?? []);
  if (tried.length === 0) return [];
  const best =
    tried.find(({ capability }) => isReliable(capability)) ??
    tried.find(({ capability }) => (rates.get(id(capability)) ?? 0) >= usableRate);
  const alternatives = [...byModel.keys()].filter(
    (other) => other !== model && serves(need, byModel.get(other) ?? [], best?.form.capability ?? null),
  );
  return [
    {
      ...{ model, need, form: best?.form.capability ?? null },
      settings: best ? { ...best.form.settings, ...best.capability.explained?.settings } : {},
      because: because(tried, best, best && rates.get(id(best.capability))),
      alternatives,
    },
  ];
}

function triedFor(need: NeedName, capabilities: readonly Capability[]): Tried[] {
  return formsFor[need].flatMap((form) =>
    capabilities
      .filter(({ capability, verdict }) => capability === form.capability && verdict !== 'inconclusive')
      .map((capability) => ({ form, capability: withBudget(form, capability, capabilities) })),
  );
}

/** A form that fails at its basic example's own cap can still be relied on above it, where its budget says from where. */
function withBudget({ budget }: Form, capability: Capability, capabilities: readonly Capability[]): Capability {
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

/** Another model serves the need when the same form passes there; any form, when this model has none. */
function serves(need: NeedName, capabilities: readonly Capability[], form: string | null): boolean {
  return triedFor(need, capabilities).some(
    (tried) => tried.capability.verdict === 'pass' && (form === null || tried.form.capability === form),
  );
}

function because(tried: readonly Tried[], best: Tried | undefined, rate: number | undefined): string {
  const passedOver = tried
    .slice(0, best ? tried.indexOf(best) : tried.length)
    .map(({ capability }) => said(capability));
  if (!best) return `None of the forms can be relied on: ${passedOver.join(', ')}.`;
  const { capability, form } = best;
  const works =
    capability.verdict === 'pass'
      ? `${capability.capability} passes`
      : capability.condition
        ? `${capability.capability} passes ${inSentence(capability.condition)}`
        : `${capability.capability} passes in ${percent(rate ?? 0)} of the trials, so validate and retry once`;
  const instead = passedOver.length > 0 ? ` (${passedOver.join(', ')})` : '';
  return `${works}${instead}${form.care ? `; ${form.care}` : ''}.`;
}

/** What is said of a form that was passed over. */
function said({ capability, verdict, condition }: Capability): string {
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

/** The rate of the worst judged cell, by model and capability. */
function ratesOf(cells: readonly ReportCell[]): Map<string, number> {
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
