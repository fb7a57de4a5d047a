import pc from 'picocolors';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from '../../report/safe/escape.js';
import { redactAll, redactForeign } from '../../report/safe/redact-values.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { configOption, shellWord } from '../../report/words/shell-word.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import type { CheckedForm } from './answer.js';
import { caveats, summaryOf } from './answer-sentences.js';
import { tableOf } from './answer-table.js';
import type { Checked } from './checked.js';
import { requestSnippets } from './request-snippets.js';

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
      ...{ max_tokens: recommended.form.max_tokens, cell: recommended.form.cell },
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
