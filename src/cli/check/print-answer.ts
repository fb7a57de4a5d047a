import pc from 'picocolors';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { ModelConfig, TargetConfig } from '../../config/config.js';
import type { Report } from '../../matrix/report-format.js';
import { capped } from '../../report/safe/capped.js';
import { nearHint, nearNames } from '../../files/problems/near-names.js';
import { reasonProse } from '../../judge/reasons.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Redact } from '../../report/safe/redact.js';
import { redactAll, redactForeign } from '../../report/safe/redact-values.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { configOption, shellWord } from '../../report/view/shell-word.js';
import { unreachedAdvice } from '../../report/view/unreached-advice.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import type { CheckAnswer, CheckedForm } from './answer.js';
import { capText, countText, formText, intervalText, secondsText } from './form-texts.js';
import type { Question } from './question.js';
import { requestSnippets } from './request-snippets.js';

export interface Checked {
  readonly answer: CheckAnswer;
  readonly report: Report;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly question: Question;
  readonly redact: Redact;
  /** As asked for; null: until decided. */
  readonly trials: number | null;
  /** Requests that the check may send. */
  readonly budget: number;
  readonly interrupted: boolean;
  /** The ids that the service lists, where it did not know the model and has a list. */
  readonly listed: readonly string[] | null;
}

/** As people would write them. */
export interface CheckPaths {
  readonly folder: string;
  readonly request: string;
  readonly schema: string;
}

/** Prints the answer on one screen, or with `--json` as JSON. */
export function printAnswer(checked: Checked, paths: CheckPaths, options: Options, io: Io): void {
  io.out(options['json'] === true ? `${jsonText(dataOf(checked, paths))}\n` : screen(checked, paths, io));
}

function dataOf(checked: Checked, paths: CheckPaths): unknown {
  const { answer, report, target, model, question, redact, interrupted } = checked;
  const { recommended } = answer;
  return {
    format: 'chatspec-check/1',
    model: model.key,
    schema: paths.schema,
    verdict: answer.verdict,
    summary: redact(summaryOf(checked)),
    recommended: recommended && {
      ...{ form: recommended.form.form, settings: recommended.form.settings },
      ...{ max_tokens: recommended.form.max_tokens, up_to: recommended.up_to, cell: recommended.form.cell },
      request: redactForeign(recommended.request, redact),
      ...requestSnippets(target, recommended.form.form, paths.request),
    },
    forms: answer.forms.map((form) => ({
      ...redactAll({ ...form }, redact),
      evidence: evidenceOf(form, checked, paths),
    })),
    run: {
      ...{ folder: paths.folder, id: report.run.id, requests: report.run.requests, usage: report.run.usage },
      ...{ complete: report.run.complete && !interrupted, schema_name: question.name },
    },
  };
}

function screen(checked: Checked, paths: CheckPaths, io: Io): string {
  const { answer, report, target, model, redact } = checked;
  const color = pc.createColors(io.color);
  const width = Math.max(40, io.columns);
  const wrapped = (text: string, indent = ''): string =>
    wrapAnsi(text, width - indent.length).replaceAll('\n', `\n${indent}`);
  const { recommended } = answer;
  const paint = { reliable: color.green, unreliable: color.red, unmeasured: color.yellow }[answer.verdict];
  const lines = [
    color.bold(oneLine(`${model.key}, ${paths.schema}`)),
    paint(wrapped(oneLine(redact(summaryOf(checked))))),
    '',
    ...(report.models[0]?.reachable === false ? [] : tableOf(answer.forms, { width, redact, color })),
    ...caveats(checked).map((text) => wrapped(oneLine(redact(text)))),
  ];
  if (lines.at(-1) !== '') lines.push('');
  const shown = recommended?.form ?? answer.forms.find(({ trials }) => trials.total > 0);
  if (shown !== undefined) lines.push(`evidence  ${evidenceOf(shown, checked, paths)}`);
  const { requests, usage } = report.run;
  lines.push(
    `asked     ${requests} request${requests === 1 ? '' : 's'}, ${usage.total_tokens} tokens; every answer is in ${paths.folder}`,
  );
  if (recommended !== null) {
    const { curl, openai } = requestSnippets(target, recommended.form.form, paths.request);
    const simulated = target.baseUrl === 'simulator';
    lines.push(
      '',
      color.dim(`# ${simulated ? 'BASE_URL: what chatspec simulate prints' : 'the request, with its settings'}`),
    );
    lines.push(curl, '', color.dim('// with the openai client'), openai);
  }
  return `${lines.join('\n')}\n`;
}

function evidenceOf({ cell }: CheckedForm, { report }: Checked, { folder }: CheckPaths): string {
  return oneLine(`chatspec evidence ${shellWord(folder)} ${shellWord(cell)}${configOption(report.run.config)}`);
}

/** The answer in one sentence. */
function summaryOf(checked: Checked): string {
  const { answer, model, interrupted } = checked;
  const { recommended, forms } = answer;
  if (recommended !== null) {
    const { form, up_to } = recommended;
    const rate = `${countText(form)} answers conform (95 % interval ${intervalText(form)})`;
    return `Rely on ${formText(form)}${capText(form, up_to)}: ${rate}.`;
  }
  if (answer.verdict === 'unmeasured') return `Not measured: ${whyUnmeasured(checked)}`;
  const closest = [...forms].sort((a, b) => rateOf(b) - rateOf(a))[0];
  const near =
    closest === undefined || closest.trials.passed === 0
      ? 'No form gave an answer that conforms.'
      : `The closest is ${formText(closest)}: ${countText(closest)} conform.`;
  const then =
    closest === undefined || closest.trials.passed === 0
      ? ''
      : ' Validate every answer, and retry with a lower temperature, if you use it.';
  return `${interrupted ? 'Interrupted. ' : ''}Rely on no form of ${model.id} for this schema and prompt. ${near}${then}`;
}

function rateOf({ trials: { passed, total } }: CheckedForm): number {
  return total === 0 ? 0 : passed / total;
}

function whyUnmeasured({ report, target, interrupted, budget, answer, listed, model: asked }: Checked): string {
  const [model] = report.models;
  if (model?.unreachable) {
    const baseUrl = target.baseUrl === 'simulator' ? null : target.baseUrl;
    const { reason } = model.unreachable;
    const known = reason === null || reason === 'unknown' ? '' : reasonProse[reason].advice;
    const address = unreachedAdvice(model.unreachable, baseUrl);
    const advice = listed === null ? (address === '' ? known : address) : idsLike(asked.id, listed);
    return `${model.id} cannot be reached: ${ended(model.unreachable.detail ?? model.unreachable.class)}${advice === '' ? '' : ` ${advice}`}`;
  }
  if (interrupted) return 'the check was interrupted before a form was decided.';
  if (report.run.stops.some(({ kind }) => kind === 'budget')) {
    return `the budget of ${budget} requests was spent before a form was decided; raise it with --budget-requests.`;
  }
  const fault = answer.forms.find(({ verdict, detail }) => verdict === 'inconclusive' && detail !== null);
  return fault === undefined ? 'no form was decided.' : `${formText(fault)}: ${fault.detail ?? ''}.`;
}

/** Ids that the service lists, the near ones if there are any. */
function idsLike(id: string, listed: readonly string[]): string {
  if (listed.includes(id)) return 'Its /models lists the id, so ask whether the key may use it.';
  const near = nearHint(nearNames(id, listed), { title: '', names: [] });
  if (near !== undefined) return `D${near.slice(1)}`;
  const more = listed.length > 5 ? ` and ${listed.length - 5} more` : '';
  return `It lists ${listed.slice(0, 5).join(', ')}${more}.`;
}

/** With one full stop; what a service says often ends with its own. */
function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What the sentence does not say and a reader must know. */
function caveats({ answer, trials, report, interrupted, model }: Checked): readonly string[] {
  const { recommended, needed, verdict } = answer;
  const fixed = trials !== null && trials < needed && verdict === 'reliable';
  const stopped = recommended !== null && report.run.stops.some(({ kind }) => kind === 'budget');
  const cap = recommended?.form.max_tokens ?? null;
  const longest = recommended?.form.tokens?.largest ?? null;
  const renamed = answer.forms.some(({ detail }) => /max_completion_tokens/.test(detail ?? ''));
  return [
    ...(recommended === null && renamed && model.rename['max_tokens'] === undefined
      ? [
          'The service speaks of max_completion_tokens. In a config, write rename: { max_tokens: max_completion_tokens } under the model, and check again.',
        ]
      : []),
    ...(fixed
      ? [
          `Only ${trials} trials a form, as asked: it takes ${needed} passes in a row to tell a rate of 95 % from one of 70 %.`,
        ]
      : []),
    ...(stopped ? ['The request budget was spent before everything was asked.'] : []),
    ...(interrupted ? ['Interrupted: what is not shown was not asked.'] : []),
    ...(cap !== null && longest !== null
      ? [`The longest answer of this form took ${longest} output tokens. Leave room for longer texts.`]
      : []),
    ...(recommended === null
      ? []
      : ['Conforming is no proof of right values: check amounts and dates by rules of your own.']),
  ];
}

interface TableStyle {
  readonly width: number;
  readonly redact: Redact;
  readonly color: ReturnType<typeof pc.createColors>;
}

const heads = ['form', 'max_tokens', 'conform', '95 %', 'tokens', 'latency'] as const;

function tableOf(forms: readonly CheckedForm[], { width, redact, color }: TableStyle): readonly string[] {
  if (forms.length === 0) return [];
  const rows = forms.map((form) => [
    oneLine(formText(form)),
    form.max_tokens === null ? '' : String(form.max_tokens),
    countText(form),
    form.trials.total === 0 ? '' : intervalText(form),
    form.tokens === null ? '' : String(form.tokens.median),
    form.latency_ms === null ? '' : secondsText(form.latency_ms),
  ]);
  const widths = heads.map((head, column) =>
    [head, ...rows.map((row) => row[column] ?? '')].reduce((most, text) => Math.max(most, stringWidth(text)), 0),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - stringWidth(text));
        return column === 0 ? `${text}${space}` : `${space}${text}`;
      })
      .join('  ')
      .trimEnd();
  return [
    color.dim(`  ${line(heads)}`),
    ...forms.flatMap((form, index) => {
      const mark = form.holds ? color.green('✓') : isOpen(form) ? color.yellow('?') : color.red('✗');
      const note = noteOf(form);
      const above = forms[index - 1];
      const same = above !== undefined && noteOf(above) === note;
      const text = same ? 'the same' : capped(redact(note ?? ''), Math.max(40, 2 * width - 10), '--json shows all');
      const why = note === null ? [] : [`    ${oneLine(text)}`];
      return [`${mark} ${line(rows[index] ?? [])}`, ...why];
    }),
  ];
}

/** Neither known to hold nor known not to. */
function isOpen({ holds, verdict }: CheckedForm): boolean {
  return !holds && verdict !== 'fail' && verdict !== 'flaky';
}

function noteOf(form: CheckedForm): string | null {
  if (form.holds) return null;
  if (form.verdict === 'pass') return `${form.trials.needed} more passes would be needed`;
  return form.detail ?? form.class ?? (form.verdict === 'not_run' ? 'not asked' : null);
}
