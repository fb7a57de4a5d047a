import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import type { Choice } from '../view/choices/choice.js';
import { choicesOf } from '../view/choices/choices-of.js';
import { latencyText, tokensText } from '../view/choices/latency-text.js';
import { snippetsOf } from '../view/choices/snippet.js';
import { count } from '../view/phrases.js';
import type { Pack } from './store/pack.js';

/** With more models, the tables of the needs are closed at first, and a line counts the models instead of naming them. */
const mostOpen = 16;
/** How many ways to serve a need such a line names. */
const mostWays = 6;

/** What the page shows to choose a model by need. Requests to copy go into the pack. */
export function choiceViews(report: Report, pack: Pack) {
  return choicesOf(report).map(({ id, title, choices, without, unmeasured }) => ({
    ...{ id, title, open: report.models.length <= mostOpen },
    brief: briefOf(choices, report.models.length <= mostOpen),
    amount: `${choices.length} of ${count(report.models.length, 'model')}`,
    choices: choices.map(({ request, latency, rate, ...choice }) => ({
      ...{ name: choice.name, form: choice.form, settings: choice.settings, because: choice.because },
      mind: choice.caveats.length === 0 ? null : choice.caveats.join('; '),
      rate: rate?.text ?? '',
      ...{ latency: latencyText(latency), tokens: tokensText(latency) },
      snippet:
        request === null ? null : pack.add({ title, model: choice.model, form: choice.form, ...snippetsOf(request) }),
    })),
    ...{ without, unmeasured },
  }));
}

/** "json_schema: model-a, model-b · tools tool_choice=required: model-c"; empty where nothing serves the need. */
function briefOf(choices: readonly Choice[], areNamed: boolean): string {
  const ways = [...groupBy(choices, ({ form, settings }) => [form, ...settings].join(' '))];
  const shown = ways.slice(0, areNamed ? ways.length : mostWays).map(([way, group]) => {
    return `${way}: ${areNamed ? group.map(({ name }) => name).join(', ') : count(group.length, 'model')}`;
  });
  return [...shown, ...(shown.length < ways.length ? [`${ways.length - shown.length} other ways`] : [])].join(' · ');
}
