import { count } from '../../report/words/phrases.js';
import { unreachedWords } from '../../judge/unreached.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { reasonProse } from '../../judge/reasons.js';
import { unreachedAdvice } from '../../report/words/unreached-advice.js';
import type { Checked } from './checked.js';
import { confirming } from './next-cells.js';
import { capText, countText, formText, intervalText } from './form-texts.js';

/** The answer in one sentence. */
export function summaryOf(checked: Checked): string {
  const { answer, model, interrupted } = checked;
  const { recommended, forms } = answer;
  if (recommended !== null) {
    const { form } = recommended;
    const rate = `${countText(form)} fresh answers conform (95 % interval ${intervalText(form)})`;
    return `Rely on ${formText(form)}${capText(form)}: ${rate}.`;
  }
  if (answer.verdict === 'unmeasured') return `Not measured: ${whyUnmeasured(checked)}`;
  const flaky = forms.filter(({ trials: { passed, total } }) => passed > 0 && total > 0);
  const counts = flaky.map((form) => `${formText(form)}${capText(form)} ${countText(form)}`).join(', ');
  const near =
    flaky.length === 0
      ? 'No form gave an answer that conforms.'
      : `They are flaky: ${counts} answers conform. Validate every answer, and retry.`;
  return `${interrupted ? 'Interrupted. ' : ''}Rely on no form of ${model.id} for this schema and prompt. ${near}`;
}

function whyUnmeasured({ report, target, interrupted, budget, answer, listed, model: asked }: Checked): string {
  const [model] = report.models;
  if (model?.unreachable) {
    const baseUrl = target.baseUrl === 'simulator' ? null : target.baseUrl;
    const { reason } = model.unreachable;
    const known = reason === null || reason === 'unknown' ? '' : reasonProse[reason].advice;
    const address = unreachedAdvice(model.unreachable, baseUrl);
    const advice = listed === null ? (address === '' ? known : address) : idsLike(asked.id, listed);
    return `${model.id} ${unreachedWords(model.unreachable)}: ${ended(model.unreachable.detail ?? model.unreachable.class)}${advice === '' ? '' : ` ${advice}`}`;
  }
  if (interrupted) return 'the check was interrupted before a form was decided.';
  if (report.run.stops.some(({ kind }) => kind === 'budget')) {
    return `the budget of ${count(budget, 'request')} was spent before a form was decided; raise it with --budget-requests.`;
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
export function caveats({ answer, trials, report, interrupted, model }: Checked): readonly string[] {
  const { recommended, verdict } = answer;
  const fixed = trials !== null && trials < confirming && verdict === 'reliable';
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
      ? [`Only ${count(trials, 'fresh trial')}, as asked: without --trials, a form is relied on after ${confirming}.`]
      : []),
    ...(stopped ? ['The request budget was spent before everything was asked.'] : []),
    ...(interrupted ? ['Interrupted: what is not shown was not asked.'] : []),
    ...(cap !== null && longest !== null
      ? [`The longest answer of this form took ${count(longest, 'output token')}. Leave room for longer texts.`]
      : []),
    ...(recommended === null
      ? []
      : ['Conforming is no proof of right values: check amounts and dates by rules of your own.']),
  ];
}
