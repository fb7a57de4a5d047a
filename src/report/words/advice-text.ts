import { configFor, type Clue } from '../../judge/clue.js';
import { type JsonObject, isObject, writtenJson } from '../../json/json.js';
import { type Advice, adviceFor, type AdvisedFailure, type OtherWay } from '../../matrix/advice.js';
import { familyOf } from '../../matrix/capability-families.js';
import { shellWord } from '../safe/shell.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { remedies, otherWays } = texts;

/** Advice about answers, in a sentence or two; empty where nothing failed. */
export function adviceText(advice: Advice | null): string {
  if (advice === null) return '';
  const { code, clue, counts, other, most } = advice;
  return say(remedies[code], {
    ...counts,
    way: other === null ? 'none' : wayOf(other),
    otherPassed: other?.passed ?? 0,
    otherTotal: other?.total ?? 0,
    config: clue === null ? '' : configText(clue),
    option: clue === null ? '' : optionText(clue),
    field: clue?.kind === 'unsupported' ? clue.field : '',
    most: most ?? 0,
  });
}

/** Advice about a single answer to a plain request. */
export function unmeasuredAdvice(failure: Pick<AdvisedFailure, 'class' | 'reason' | 'clue'>): string {
  return adviceText(adviceFor({ ...failure, asked: [], trials: { passed: 0, total: 1 } }, null));
}

function wayOf({ form, members }: OtherWay): string {
  const isChoice = familyOf(form) === 'tool_choice';
  const choice =
    isChoice && members['tool_choice'] === undefined ? [['tool_choice', form.slice(form.indexOf('.') + 1)]] : [];
  const listed = [...choice, ...Object.entries(members)].map(([name, label]) => `${name}: ${label}`);
  if (isChoice || form === 'tools') return say(otherWays.call, { members: listed.join(', ') || 'none' });
  return say(otherWays.form, { form, members: listed.join(', ') || 'none' });
}

/** Lines for the config, so that a refusal does not come again: "rename: { … }", and the whole advice. */
export function mendTexts(clue: Clue): { readonly config: string; readonly advice: string } {
  const failure = { class: 'http_error', reason: 'parameter_rejected', clue } as const;
  return { config: configText(clue), advice: unmeasuredAdvice(failure) };
}

/** "rename: { max_tokens: max_completion_tokens }": what a config says of the model. */
function configText(clue: Clue): string {
  return Object.entries(configFor(clue) ?? {})
    .map(([name, members]) => `${name}: ${inFlow(members ?? null)}`)
    .join(', ');
}

function inFlow(members: JsonObject[string] | null): string {
  if (!isObject(members)) return writtenJson(members ?? null);
  const inner = Object.entries(members).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : writtenJson(value)}`,
  );
  return `{ ${inner.join(', ')} }`;
}

function optionText(clue: Clue): string {
  if (clue.kind === 'rename') return `--rename ${clue.from}=${clue.to}`;
  return clue.kind === 'set' ? `--request ${shellWord(writtenJson(clue.members))}` : '';
}
