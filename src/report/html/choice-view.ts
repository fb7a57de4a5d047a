import type { Report } from '../../matrix/report-format.js';
import { choicesOf } from '../view/choices/choices-of.js';
import { latencyText, tokensText } from '../view/choices/latency-text.js';
import { snippetsOf } from '../view/choices/snippet.js';
import { count } from '../view/phrases.js';
import type { Pack } from './store/pack.js';

/** With more models, the tables of the needs are closed at first. */
const mostOpen = 16;

/** What the page shows to choose a model by need. Requests to copy go into the pack. */
export function choiceViews(report: Report, pack: Pack) {
  return choicesOf(report).map(({ id, title, choices, without }) => ({
    ...{ id, title, open: report.models.length <= mostOpen },
    amount: `${choices.length} of ${count(choices.length + without.length, 'model')}`,
    choices: choices.map(({ request, latency, rate, ...choice }) => ({
      ...{ name: choice.name, form: choice.form, settings: choice.settings, because: choice.because },
      mind: choice.caveats.length === 0 ? null : choice.caveats.join('; '),
      rate: rate?.text ?? '',
      ...{ latency: latencyText(latency), tokens: tokensText(latency) },
      snippet:
        request === null ? null : pack.add({ title, model: choice.model, form: choice.form, ...snippetsOf(request) }),
    })),
    without: without.map((model) => ({
      model,
      because: report.recommendations.find((one) => one.model === model && one.need === id)?.because ?? null,
    })),
  }));
}
