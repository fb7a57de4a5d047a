import type { Recommendation, Report, ReportCell } from '../../../../src/matrix/report-format.js';
import type { Night } from '../run-world.js';
import { passRate, type Form, type Situation, type ToolChoice, type WorldModel } from '../model.js';
import { plainCells } from './plain-cells.js';
import type { Mistake, Score, Scorer } from './score.js';

interface AdvisedModel {
  readonly truth: WorldModel;
  /** `TARGET/MODEL` in the report. */
  readonly key: string;
  /**
   * What each cell of the model that asks for a form's answer sends; others (enforcement, provoked errors) are left
   * out.
   */
  readonly situations: ReadonlyMap<string, readonly Situation[]>;
  /** What each label of `thinking` makes the model do; null: nothing is sent. */
  readonly thinking: Readonly<Record<string, boolean | null>>;
}

interface AdviceScore {
  readonly right: number;
  /** It does not hold at a point that was asked. */
  readonly wrongAsked: readonly string[];
  /** It does not hold at a point that nobody asked. */
  readonly wrongUnasked: readonly string[];
  /** A judged cell with these settings does not pass. */
  readonly against: readonly string[];
  /** Nothing is recommended, and nothing that was asked holds. */
  readonly rightlyNone: number;
  /** Nothing is recommended although a form that was asked holds. */
  readonly missed: readonly string[];
}

/** Good enough to be recommended. */
const enough = 0.95;
/** So good that it should have been found. */
const surely = 0.99;
const fewestAsked = 10;

/** Whether each recommendation of a model holds when it is followed to the letter. */
function scoreRecommendations(model: AdvisedModel, report: Report): AdviceScore {
  const score = { right: 0, rightlyNone: 0 };
  const [wrongAsked, wrongUnasked, against, missed] = [[], [], [], []] as [string[], string[], string[], string[]];
  const cells = report.cells.filter((cell) => cell.model === model.key && model.situations.has(cell.key));
  const asked = cells.flatMap(({ key, trials }) => (trials.total > 0 ? (model.situations.get(key) ?? []) : []));
  for (const told of report.recommendations.filter((one) => one.model === model.key)) {
    const what = `${told.model} ${told.need}: ${String(told.form)} ${JSON.stringify(told.settings)} ${JSON.stringify(told.caveats)} ${told.because}`;
    if (told.form === null) {
      const found = holding(model, told.need, cells);
      if (found === null) score.rightlyNone += 1;
      else missed.push(`${what} | ${found}`);
      continue;
    }
    const own = asked
      .filter(({ form }) => form === (formOf[told.form ?? ''] ?? 'tools'))
      .map(({ max_tokens }) => max_tokens);
    const noCap = told.caveats?.some((one) => one.startsWith('max_tokens does not work')) === true;
    const allowed = situationsOf(model, told.form, told.settings, [null, ...(noCap ? [] : own)]);
    const failing = allowed.filter((one) => rateOf(model.truth, one, told) < enough);
    if (failing.length === 0) score.right += 1;
    else {
      const known = failing.filter((one) => asked.some((other) => isAlike(one, other)));
      const worst = (known[0] ?? failing[0])!;
      const text = `${what} | ${inWords(worst)} ${passRate(model.truth, worst).toFixed(2)}`;
      (known.length > 0 ? wrongAsked : wrongUnasked).push(text);
    }
    const contrary = cells.find((cell) => goesAgainst(cell, allowed, model, told));
    if (contrary) against.push(`${what} | ${contrary.key} ${contrary.trials.passed}/${contrary.trials.total}`);
  }
  return { ...score, wrongAsked, wrongUnasked, against, missed };
}

function rateOf(truth: WorldModel, situation: Situation, { caveats = [] }: Recommendation): number {
  const rate = passRate(truth, situation);
  return caveats.some((one) => one.includes('retry up to 3 times')) ? 1 - (1 - rate) ** 3 : rate;
}

function goesAgainst(
  cell: ReportCell,
  allowed: readonly Situation[],
  model: AdvisedModel,
  told: Recommendation,
): boolean {
  const { trials, threshold } = cell;
  const label = cell.point['thinking'];
  const sentAs = (one: string | undefined): string | null =>
    one === undefined || model.thinking[one] === null ? null : one;
  if (trials.total === 0 || sentAs(label) !== sentAs(told.settings['thinking'])) return false;
  const sent = model.situations.get(cell.key) ?? [];
  const isSame = (a: Situation, b: Situation) => isAlike(a, b) && a.max_tokens === b.max_tokens;
  const fails = (passed: number, total: number): boolean =>
    told.caveats?.some((one) => one.startsWith('flaky, ')) === true ? passed < 0.75 * total : passed < total;
  if (threshold !== null)
    return threshold.curve.some(
      ([cap, passed, total]) =>
        fails(passed, total) &&
        (cap >= 512 || told.settings['max_tokens'] !== undefined) &&
        allowed.some((one) => sent.some((other) => isSame(one, { ...other, max_tokens: cap }))),
    );
  return fails(trials.passed, trials.total) && sent.some((one) => allowed.some((other) => isSame(one, other)));
}

const formOf: Readonly<Record<string, Form>> = {
  chat: 'text',
  json_object: 'json_object',
  json_schema: 'json_schema',
};

/** Every situation in which a client finds itself that sends these settings, and otherwise what it likes. */
function situationsOf(
  { thinking, truth }: AdvisedModel,
  form: string,
  settings: Readonly<Record<string, string>>,
  free: readonly (number | null)[],
): Situation[] {
  const caps = settings['max_tokens'] === undefined ? [...new Set(free)] : [Number(settings['max_tokens'])];
  const streams = settings['stream'] === undefined ? [false, true] : [settings['stream'] === 'true'];
  const thinks = thinking[settings['thinking'] ?? ''] ?? truth.thinksByDefault;
  const choice = (settings['tool_choice'] ?? 'absent') as ToolChoice;
  return caps.flatMap((max_tokens) =>
    streams.map((stream) => ({
      form: formOf[form] ?? 'tools',
      ...{ stream, max_tokens, thinking: thinks, tool_choice: choice, prompt: '' },
    })),
  );
}

function isAlike(a: Situation, b: Situation): boolean {
  const choice = a.form !== 'tools' || a.tool_choice === b.tool_choice;
  return choice && a.form === b.form && a.stream === b.stream && a.thinking === b.thinking;
}

const formsFor: Readonly<Record<Recommendation['need'], readonly string[]>> = {
  plain_text: ['chat'],
  structured: ['json_schema', 'tool_choice.required', 'tool_choice.object', 'json_object'],
  free_json: ['json_object', 'json_schema', 'tool_choice.required'],
  tool_call: ['tool_choice.required', 'tool_choice.object'],
};

/** A form with settings of the plan that were asked and hold; null: none. */
function holding(model: AdvisedModel, need: Recommendation['need'], cells: readonly ReportCell[]): string | null {
  const labels = [undefined, ...Object.keys(model.thinking).filter((label) => model.thinking[label] !== null)];
  for (const form of formsFor[need])
    for (const thinking of labels)
      for (const stream of [undefined, 'false'])
        for (const max_tokens of [undefined, '1024', '2048', '4096']) {
          const choice = form.startsWith('tool_choice.') ? { tool_choice: form.slice('tool_choice.'.length) } : {};
          const all = { ...choice, thinking, stream, max_tokens };
          const settings = Object.fromEntries(
            Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
          );
          const allowed = situationsOf(model, form, settings, [null, 4096]);
          const worst = Math.min(...allowed.map((one) => passRate(model.truth, one)));
          const isLike = (sent: Situation) => allowed.some((one) => isAlike(one, sent) && isCapLike(one, sent));
          const asked = cells.filter(({ key }) => model.situations.get(key)?.some(isLike));
          const trials = asked.reduce((sum, { trials: { total } }) => sum + total, 0);
          const sent = asked.flatMap(({ key }) => model.situations.get(key)?.filter(isLike) ?? []);
          // Some prompts may fail; what was asked must hold as it was asked.
          const usual = sent.reduce((sum, one) => sum + passRate(model.truth, one), 0) / sent.length;
          if (worst >= surely && usual >= surely && trials >= fewestAsked)
            return `${form} ${JSON.stringify(settings)} holds, asked in ${trials} trials`;
        }
  return null;
}

const isCapLike = (a: Situation, b: Situation): boolean => (a.max_tokens ?? Infinity) <= (b.max_tokens ?? Infinity);

function inWords({ form, stream, thinking, tool_choice, max_tokens }: Situation): string {
  return JSON.stringify({ form, stream, thinking, tool_choice, max_tokens });
}

/** Followed to the letter, each holds at least 95 times in 100. */
export const recommendations: Scorer = (night) =>
  total('recommendations', night, ({ wrongAsked, wrongUnasked }) => [...wrongAsked, ...wrongUnasked]);

/** None goes against a judged cell with its settings. */
export const contradictions: Scorer = (night) => total('recommendations and cells', night, ({ against }) => against);

/** None is missing although a form that was asked holds. */
export const omissions: Scorer = (night) => total('recommendations given', night, ({ missed }) => missed);

function total(subject: string, night: Night, mistakesIn: (score: AdviceScore) => readonly string[]): Score {
  const cells = plainCells(night);
  const examples = night.models.flatMap((truth): Mistake[] => {
    const key = `world/${truth.id}`;
    const own = cells.filter(({ cell }) => cell.model === key && !isAboutCalls(cell));
    const situations = new Map(own.map(({ cell, trials }) => [cell.key, trials.map(({ situation }) => situation)]));
    const thinking = { default: null, enabled: true, disabled: false };
    const mistakes = mistakesIn(scoreRecommendations({ truth, key, situations, thinking }, night.report));
    return mistakes.map((text) => {
      const [said = '', why = ''] = text.split(' | ');
      return { at: key, said, truth: why };
    });
  });
  const of = night.report.recommendations.length;
  return { subject, right: of - examples.length, wrong: examples.length, examples };
}

/** Whether no call comes is no question of a form. */
function isAboutCalls({ capability }: ReportCell): boolean {
  return capability === 'tool_choice.none' || capability === 'tool_choice.auto';
}
