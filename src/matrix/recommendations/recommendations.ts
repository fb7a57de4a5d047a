import { groupBy } from '../../json/group-by.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Behaviour, FormEvidence, NeedForm } from '../../suite/probe.js';
import type { NeedName } from '../../suite/suite-file.js';
import type { Capability } from '../capabilities.js';
import type { Recommendation, ReportBehaviour, ReportCell, ReportModel, ReportQuirk } from '../report-format.js';
import { assessForms, judgedAsSent, type AssessedForm, type Reliability, type UsableForm } from './assess-form.js';
import { because, type RejectedForm } from './because.js';
import { caveatsOf } from './caveats.js';
import { evidenceOf, trialsIn, type Evidence } from './evidence.js';
import { evidenceFor, toldBy, type EvidenceByCell } from './evidence-for-form.js';
import type { SharedReach } from '../shared-failures-reach.js';
import { needNames } from './needs.js';
import { recommendedRequest } from './recommended-request.js';

export interface RecommendationsInput {
  readonly models: readonly ReportModel[];
  readonly capabilities: readonly Capability[];
  readonly cells: readonly ReportCell[];
  readonly tickets: readonly Ticket[];
  /** What each shared failure meets, by model: see `sharedReaches`. */
  readonly reaches: ReadonlyMap<string, readonly SharedReach[]>;
  /** Best first. */
  readonly forms: readonly NeedForm[];
  readonly evidence: readonly FormEvidence[];
  readonly wire: readonly ReportQuirk[];
  /** Of all suites, and those that the models show. */
  readonly behaviours: readonly Behaviour[];
  readonly shown: readonly ReportBehaviour[];
  /** Names of the targets that are the embedded service, whose models no client can use instead of real ones. */
  readonly simulated: ReadonlySet<string>;
}

/** A need as one model serves it. */
interface Advice {
  readonly model: ReportModel;
  readonly need: NeedName;
  /** null: none of the forms can be relied on. */
  readonly best: UsableForm | null;
  readonly rejected: readonly RejectedForm[];
  /** The shared failures of the model that requests of its form meet, or of any form that was judged. */
  readonly met: readonly SharedReach[];
}

/** Which form to use for each need on each model that was reached. A need whose forms were not judged is left out. */
export function recommendationsOf(input: RecommendationsInput): Recommendation[] {
  const enforced = new Map(
    input.tickets.filter(({ cell }) => cell.probe.enforce !== null).map((ticket) => [ticket.cell.key, ticket]),
  );
  const cellsByModel = groupBy(input.cells, (cell) => cell.model);
  const evidenceByCell = evidenceByCellOf(input);
  const all = input.models
    .filter((model) => model.reachable)
    .flatMap((model) => {
      const cells = cellsByModel.get(model.id) ?? [];
      const assessed = assessForms(
        input.forms,
        (form) => evidenceFor(form, cells, evidenceByCell, input.evidence),
        cells.flatMap(evidenceByCell),
      );
      const shared = input.reaches.get(model.id) ?? [];
      return needNames.flatMap((need) => adviceOn(need, model, assessed, { ...input, shared }) ?? []);
    });
  const isTold = toldBy(input.evidence);
  const ticketsOf = groupBy(input.tickets, ({ cell }) => cell.model.key);
  return all.map((advice) => ({
    ...{ model: advice.model.id, need: advice.need, form: advice.best?.form.capability ?? null },
    ...sentFor(advice, ticketsOf.get(advice.model.id) ?? []),
    caveats:
      advice.best === null
        ? []
        : caveatsOf({
            wire: input.wire.filter(({ model }) => model === advice.model.id),
            ...{ usable: advice.best, cells: cellsByModel.get(advice.model.id) ?? [], enforced, evidenceByCell },
            ...{ failed: advice.model.failed_requests, repeated: advice.model.repeated_answers, met: advice.met },
            others: (cellsByModel.get(advice.model.id) ?? []).filter((cell) => !isTold(cell)).flatMap(evidenceByCell),
            declared: input.evidence.filter(({ capability }) => capability === advice.best?.form.capability),
          }),
    ...(advice.best !== null && { trials: trialsBehind(advice.best) }),
    because: because(advice.best, advice.rejected, advice.met),
    alternatives: alternativesTo(advice, all, input),
  }));
}

/** The trials that speak for it, as far as they were asked with the settings that are recommended. */
function trialsBehind(best: UsableForm): NonNullable<Recommendation['trials']> {
  const judged = judgedAsSent(best);
  return { ...trialsIn(judged), cells: new Set(judged.map(({ cell }) => cell.key)).size };
}

/** Several forms and needs look at the same cells. */
function evidenceByCellOf({ tickets }: RecommendationsInput): EvidenceByCell {
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const known = new Map<string, readonly Evidence[]>();
  return (cell) => {
    const ticket = byKey.get(cell.key);
    if (ticket === undefined) return [];
    const before = known.get(cell.key) ?? evidenceOf(ticket, cell);
    known.set(cell.key, before);
    return before;
  };
}

const inOrder: readonly Reliability[] = ['reliable', 'awkward', 'flaky'];

function adviceOn(
  need: NeedName,
  model: ReportModel,
  ofModel: readonly AssessedForm[],
  { behaviours, shown, capabilities, shared }: RecommendationsInput & { readonly shared: readonly SharedReach[] },
): Advice | null {
  const assessed = ofModel.filter(({ form }) => form.need === need);
  if (assessed.length === 0) return null;
  const ids = new Set(shown.flatMap((one) => (one.model === model.id ? [one.id] : [])));
  const warned = new Set(behaviours.flatMap(({ id, avoid = [] }) => (ids.has(id) ? avoid : [])));
  const usable = assessed.filter(
    (one): one is UsableForm => one.reliability !== 'none' && !warned.has(one.form.capability),
  );
  // A form that was held to values is not outranked by one that was only asked for a structure.
  const isStrict = assessed.some((one) => one.reliability === 'none' && one.onlyValuesWrong);
  const comparable = isStrict ? usable.filter((one) => one.judgesValues) : usable;
  const best = inOrder.flatMap((reliability) => comparable.filter((one) => one.reliability === reliability))[0] ?? null;
  const sent = best === null ? assessed.flatMap(({ judged }) => judged) : judgedAsSent(best);
  const met = shared.filter(({ meets }) => sent.some(({ cell }) => meets(cell.key)));
  return { model, need, best, rejected: rejectedBefore(best, assessed, { model, warned, capabilities }), met };
}

/** The forms that would come first if they could be relied on. */
function rejectedBefore(
  best: UsableForm | null,
  assessed: readonly AssessedForm[],
  {
    model,
    warned,
    capabilities,
  }: { model: ReportModel; warned: ReadonlySet<string>; capabilities: readonly Capability[] },
): readonly RejectedForm[] {
  const before = best === null ? assessed : assessed.slice(0, assessed.indexOf(best));
  return before.map((one) => ({
    assessed: one,
    isWarnedAgainst: warned.has(one.form.capability),
    capability: capabilities.find(({ model: id, capability }) => id === model.id && capability === one.form.capability),
  }));
}

/** The settings of a request, by name: docs/reports.md. A setting that must not be sent has the label that sends nothing. */
function settingsOf({ form, found, cap }: UsableForm, nothing: ReadonlyMap<string, string>): Record<string, string> {
  const labels = Object.entries(found.choice.labels).flatMap(([name, label]) => {
    const said = label ?? nothing.get(name);
    return said === undefined || name === 'tools' ? [] : [[name, name === 'json_word' ? 'required' : said] as const];
  });
  return { ...form.settings, ...Object.fromEntries(labels), ...(cap !== null && { max_tokens: String(cap) }) };
}

/** What the client sends: settings by label, and the members of the body that they stand for. */
function sentFor({ best, model }: Advice, tickets: readonly Ticket[]): Pick<Recommendation, 'settings' | 'request'> {
  if (best === null) return { settings: {} };
  const settings = settingsOf(best, labelsOfNothing(model.id, tickets));
  const request = recommendedRequest(settings, tickets);
  const isSaid = Object.keys({ ...settings, ...request }).length > 0;
  return { settings, ...(isSaid && { request }) };
}

/** By axis of settings: the label under which nothing is sent. */
function labelsOfNothing(model: string, tickets: readonly Ticket[]): ReadonlyMap<string, string> {
  const settings = tickets.find(({ cell }) => cell.model.key === model)?.cell.model.settings ?? {};
  return new Map(
    Object.entries(settings).flatMap(([name, patches]) => {
      const nothing = Object.entries(patches).find(([, patch]) => patch === null || Object.keys(patch).length === 0);
      return nothing === undefined ? [] : [[name, nothing[0]] as const];
    }),
  );
}

/** Models that serve the need with the same form; with any form where this model has none. */
function alternativesTo(advice: Advice, all: readonly Advice[], { simulated }: RecommendationsInput): string[] {
  const isSimulated = (model: ReportModel): boolean => simulated.has(model.target);
  const mute = new Set(
    all.flatMap(({ model, need, best }) => (need === 'plain_text' && best === null ? [model.id] : [])),
  );
  return all
    .filter(({ model, need, best, met }) => {
      if (need !== advice.need || model === advice.model || best === null || best.reliability !== 'reliable')
        return false;
      if (met.some(({ failure }) => failure.alarm)) return false;
      if (isSimulated(model) !== isSimulated(advice.model) || mute.has(model.id)) return false;
      return advice.best === null || best.form.capability === advice.best.form.capability;
    })
    .map(({ model }) => model.id);
}
