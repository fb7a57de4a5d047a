import type { SharedFailure } from '../../decide/course.js';
import { groupBy } from '../../json/group-by.js';
import { type Json, type JsonObject, parsedJson } from '../../json/json.js';
import { layerOfAxis, patched, renamed, withLayer } from '../../plan/request/body-layers.js';
import type { PlannedCell } from '../../plan/plan.js';
import type { Behaviour, FormEvidence, NeedForm } from '../../suite/probe.js';
import type { NeedName } from '../../suite/suite-file.js';
import type { Because, Words } from '../notes.js';
import type { Recommendation, ReportBehaviour, ReportCell, ReportModel, ReportQuirk } from '../report-format.js';
import { caveatsOf } from './caveats.js';
import { configFor } from '../../judge/clue.js';
import { clueOfCell } from '../advice.js';
import { assessForms, type AssessedForm, type UsableForm } from './choice.js';
import { bestForm, isApartFrom } from './rank-forms.js';
import { evidenceOf, trialsIn, evidenceFor, type CellEvidence } from './evidence.js';

interface RecommendationsInput {
  readonly models: readonly ReportModel[];
  readonly cells: readonly ReportCell[];
  readonly plannedCells: readonly PlannedCell[];
  /** Best first. */
  readonly forms: readonly NeedForm[];
  readonly evidence: readonly FormEvidence[];
  readonly wire: readonly ReportQuirk[];
  /** Of all suites, and those that the models show. */
  readonly behaviours: readonly Behaviour[];
  readonly shown: readonly ReportBehaviour[];
  readonly words: Words;
  /** Names of the targets that are the embedded service, whose models no client can use instead of real ones. */
  readonly simulated: ReadonlySet<string>;
}

/** A need as one model serves it. */
interface NeedAdvice {
  readonly model: ReportModel;
  readonly need: NeedName;
  /** null: none of the forms can be relied on. */
  readonly best: UsableForm | null;
  /** The forms that would come first if they could be relied on. */
  readonly rejected: readonly AssessedForm[];
  /** Some of them promise more, and were asked nothing that the best was asked, too. */
  readonly isApart: boolean;
  /** The shared failures of the model that requests of its form meet, or of any form that was judged. */
  readonly met: readonly SharedFailure[];
}

/** The form to use for each need on each model that was reached. A need whose forms were not judged is left out. */
export function recommendationsOf(input: RecommendationsInput): Recommendation[] {
  const enforced = new Map(
    input.plannedCells.filter(({ cell }) => cell.probe.enforce !== null).map((planned) => [planned.cell.key, planned]),
  );
  const cellsByModel = groupBy(input.cells, (cell) => cell.model);
  const evidenceByCell = evidenceByCellOf(input);
  const all = input.models
    .filter((model) => model.reachable)
    .flatMap((model) => {
      const cells = cellsByModel.get(model.id) ?? [];
      const assessed = assessForms(input.forms, (form) => evidenceFor(form, cells, evidenceByCell, input.evidence));
      const shared = model.shared_failures ?? [];
      return needNames.flatMap((need) => adviceOn(need, model, assessed, { ...input, shared }) ?? []);
    });
  const plannedByModel = groupBy(input.plannedCells, ({ cell }) => cell.model.key);
  return all.map((advice) => ({
    model: advice.model.id,
    need: advice.need,
    form: advice.best?.form.capability ?? null,
    ...sentFor(advice, plannedByModel.get(advice.model.id) ?? []),
    caveats:
      advice.best === null
        ? []
        : caveatsOf({
            wire: input.wire.filter(({ model }) => model === advice.model.id),
            usable: advice.best,
            cells: cellsByModel.get(advice.model.id) ?? [],
            enforced,
            met: advice.met,
            answeredBy: advice.model.answered_by ?? null,
            declared: input.evidence.filter(({ capability }) => capability === advice.best?.form.capability),
          }).map(input.words.caveat),
    ...(advice.best !== null && { trials: formTrials(advice.best) }),
    because: input.words.because(becauseOf(advice)),
    rejected: becauseOf(advice).rejected,
    ...mendOf(advice),
    alternatives: alternativesTo(advice, all, input),
  }));
}

/** The trials that speak for it, as far as they were asked with the settings that are recommended. */
function formTrials({ sent }: UsableForm): NonNullable<Recommendation['trials']> {
  return { ...trialsIn(sent), cells: new Set(sent.map(({ cell }) => cell.key)).size };
}

/** Knowledge of the form and of those that would have come first, in counts. */
function becauseOf({ best, rejected, isApart, met }: NeedAdvice): Because {
  const counts = ({ form, judged }: Pick<AssessedForm, 'form' | 'judged'>) => ({
    form: form.capability,
    ...trialsIn(judged),
  });
  return {
    form: best && counts({ form: best.form, judged: best.sent }),
    rejected: rejected.map(counts),
    apart: isApart,
    shared: best === null ? met : [],
    care: best?.form.care ?? null,
  };
}

/** Lines for the config where each refusal of each form asks for them, so that nothing speaks against the model. */
function mendOf({ best, rejected }: NeedAdvice): Pick<Recommendation, 'mend'> {
  const cells = best === null ? rejected.flatMap(({ judged }) => judged.map(({ cell }) => cell)) : [];
  const clues = cells.map(clueOfCell);
  const [mend] = clues;
  const isMended = clues.every((clue) => clue !== undefined && configFor(clue) !== null);
  return mend === undefined || !isMended ? {} : { mend };
}

/** Several forms and needs look at the same cells. */
function evidenceByCellOf({ plannedCells }: RecommendationsInput): (cell: ReportCell) => readonly CellEvidence[] {
  const byKey = new Map(plannedCells.map((planned) => [planned.cell.key, planned]));
  const known = new Map<string, readonly CellEvidence[]>();
  return (cell) => {
    const planned = byKey.get(cell.key);
    if (planned === undefined) return [];
    const before = known.get(cell.key) ?? evidenceOf(planned, cell);
    known.set(cell.key, before);
    return before;
  };
}

/** In the order in which reports show them. */
export const needNames: readonly NeedName[] = ['plain_text', 'structured', 'free_json', 'tool_call'];

function adviceOn(
  need: NeedName,
  model: ReportModel,
  ofModel: readonly AssessedForm[],
  { behaviours, shown, shared }: RecommendationsInput & { readonly shared: readonly SharedFailure[] },
): NeedAdvice | null {
  const assessed = ofModel.filter(({ form }) => form.need === need);
  if (assessed.length === 0) return null;
  const ids = new Set(shown.flatMap((one) => (one.model === model.id ? [one.id] : [])));
  const warned = new Set(behaviours.flatMap(({ id, avoid = [] }) => (ids.has(id) ? avoid : [])));
  const usable = assessed.filter(
    (one): one is UsableForm => one.reliability !== 'none' && !warned.has(one.form.capability),
  );
  const best = bestForm(usable, assessed);
  const rejected = best === null ? assessed : assessed.slice(0, assessed.indexOf(best));
  return {
    model,
    need,
    best,
    rejected,
    isApart: best !== null && rejected.some((one) => isApartFrom(best, one)),
    met: shared,
  };
}

/**
 * The settings of a request, by name: docs/reports.md. A setting that must not be sent has the label that sends
 * nothing.
 */
function recommendedSettings(
  { form, found, cap }: UsableForm,
  nothing: ReadonlyMap<string, string>,
): Record<string, string> {
  const labels = found.choice.flatMap((one) => {
    if (one.kind !== 'label' || one.name === 'tools') return [];
    const said = one.label ?? nothing.get(one.name);
    return said === undefined ? [] : [[one.name, one.name === 'json_word' ? 'required' : said] as const];
  });
  return { ...form.settings, ...Object.fromEntries(labels), ...(cap !== null && { max_tokens: String(cap) }) };
}

/** The client's request: settings by label, and the members of the body that they stand for. */
function sentFor(
  { best, model }: NeedAdvice,
  cells: readonly PlannedCell[],
): Pick<Recommendation, 'settings' | 'request' | 'conditions'> {
  if (best === null) return { settings: {} };
  const settings = recommendedSettings(best, labelsOfNothing(model.id, cells));
  const request = recommendedRequest(settings, cells);
  const isSaid = Object.keys({ ...settings, ...request }).length > 0;
  const conditions = best.found.choice.map((one) => (one.kind === 'label' ? one.name : 'max_tokens'));
  return { settings, ...(isSaid && { request }), conditions };
}

/** By axis of settings: the label under which nothing is sent. */
function labelsOfNothing(model: string, cells: readonly PlannedCell[]): ReadonlyMap<string, string> {
  const settings = cells.find(({ cell }) => cell.model.key === model)?.cell.model.settings ?? {};
  return new Map(
    Object.entries(settings).flatMap(([name, patches]) => {
      const nothing = Object.entries(patches).find(([, patch]) => patch === null || Object.keys(patch).length === 0);
      return nothing === undefined ? [] : [[name, nothing[0]] as const];
    }),
  );
}

/** Models that serve the need with the same form; with any form where this model has none. */
function alternativesTo(advice: NeedAdvice, all: readonly NeedAdvice[], { simulated }: RecommendationsInput): string[] {
  const isSimulated = (model: ReportModel): boolean => simulated.has(model.target);
  const mute = new Set(
    all.flatMap(({ model, need, best }) => (need === 'plain_text' && best === null ? [model.id] : [])),
  );
  return all
    .filter(({ model, need, best, met }) => {
      if (need !== advice.need || model === advice.model || best === null || best.reliability !== 'reliable') {
        return false;
      }
      if (met.some(({ alarm }) => alarm)) return false;
      if (isSimulated(model) !== isSimulated(advice.model) || mute.has(model.id)) return false;
      return advice.best === null || best.form.capability === advice.best.form.capability;
    })
    .map(({ model }) => model.id);
}

/** Settings that shape messages and schema, or the form itself, which a client writes anyway. */
const ofForm: ReadonlySet<string> = new Set(['json_word', 'strict']);

/**
 * The settings of a recommendation as members of a request body, with what the config sends to the model in any case.
 * @param cells those of the model
 */
export function recommendedRequest(
  settings: Readonly<Record<string, string>>,
  cells: readonly PlannedCell[],
): JsonObject {
  const model = cells[0]?.cell.model;
  const body = Object.entries(settings).reduce<JsonObject>(
    (built, [name, label]) => (ofForm.has(name) ? built : patched(built, membersFor(name, label, cells))),
    {},
  );
  return model === undefined ? body : renamed(patched(body, model.request), model.rename);
}

function membersFor(name: string, label: string, cells: readonly PlannedCell[]): JsonObject {
  // The client names the function.
  if (name === 'tool_choice' && label === 'object') return {};
  if (name === 'max_tokens') return { max_tokens: Number(label) };
  if (name === 'stream') return { stream: label === 'true' };
  if (name === 'tool_choice') return { tool_choice: label };
  for (const { cell } of cells) {
    if (cell.point[name] !== label) continue;
    const axis = cell.probe.axes.find((one) => one.name === name);
    const layer = axis === undefined ? null : layerOfAxis(axis, cell);
    if (layer !== null) return withLayer({}, layer);
  }
  return { [name]: asWritten(label) };
}

/** Members that no axis names are described by their value: a text as it is, all else as JSON. */
function asWritten(label: string): Json {
  try {
    return parsedJson(label) as Json;
  } catch {
    return label;
  }
}
