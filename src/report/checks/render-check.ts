import wrapAnsi from 'wrap-ansi';
import type { Clue } from '../../judge/clue.js';
import { type JsonObject, writtenJson } from '../../json/json.js';
import { unreachedWords } from '../../judge/outcome.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { capped } from '../safe/capped.js';
import { oneLine } from '../safe/escape.js';
import { curlCommand, shellWord } from '../safe/shell.js';
import { redactAll, redactForeign, type Redact } from '../safe/redact.js';
import { createPaint, type Paint } from '../terminal/paint.js';
import { evidenceCommand } from '../words/commands.js';
import { texts } from '../words/catalogue.js';
import { adviceFor } from '../../matrix/advice.js';
import { adviceText } from '../words/advice-text.js';
import { plainRequestAdvice } from '../words/connection-advice.js';
import { say } from '../words/message.js';

const { checks } = texts;

/** One form of request under one cap, as it was measured. */
export interface CheckedForm extends Pick<ReportCell, 'verdict' | 'trials' | 'class' | 'reason' | 'status' | 'detail'> {
  readonly form: FormName;
  /** Further findings of its failures; absent: none. */
  readonly clue?: Clue;
  /** `strict`, `tool_choice` and settings of the config, by label. */
  readonly settings: Readonly<Record<string, string>>;
  /** null: none was sent beyond what the config sends. */
  readonly max_tokens: number | null;
  /** Nothing failed, in as many trials as were wanted. */
  readonly holds: boolean;
  /** Fresh trials of a form that others chose. */
  readonly confirms: boolean;
  /** Output tokens of the answers that conform; null where none is known. */
  readonly tokens: { readonly median: number; readonly largest: number } | null;
  /** Median, of the answers that conform. */
  readonly latency_ms: number | null;
  /** The key of its cell, for `chatspec evidence`. */
  readonly cell: string;
}

export interface CheckAnswer {
  readonly verdict: 'reliable' | 'unreliable' | 'unmeasured';
  readonly forms: readonly CheckedForm[];
  /** The form to use with the body of its request; null: nothing can be relied on. */
  readonly recommended: { readonly form: CheckedForm; readonly request: JsonObject } | null;
}

/** Known not to hold. */
export const isRefuted = ({ verdict }: CheckedForm): boolean => verdict === 'fail' || verdict === 'flaky';

/** A check that has ended: what was asked, and what came of it. */
interface Checked {
  readonly answer: CheckAnswer;
  readonly report: Report;
  readonly service: AskedService;
  readonly model: { readonly key: string; readonly id: string };
  /** The name of the schema in requests. */
  readonly schemaName: string;
  readonly redact: Redact;
  /** As asked for; null: until decided. */
  readonly trials: number | null;
  /** Requests that the check may send. */
  readonly budget: number;
  readonly interrupted: boolean;
  /** Fresh trials after which a form is relied on. */
  readonly confirming: number;
  /** Advice about an id that the service does not know; null: it knows it, or has no list of ids. */
  readonly otherIds: string | null;
  /** Paths, as people would write them. */
  readonly paths: { readonly folder: string; readonly request: string; readonly schema: string };
}

/** The answer as JSON: the public format `chatspec-check/1`. */
export function checkData(checked: Checked): unknown {
  const { answer, report, service, model, redact, paths, interrupted } = checked;
  const { recommended } = answer;
  return {
    format: 'chatspec-check/1',
    model: model.key,
    schema: paths.schema,
    verdict: answer.verdict,
    summary: redact(checkSummary(checked)),
    recommended: recommended && {
      form: recommended.form.form,
      settings: recommended.form.settings,
      max_tokens: recommended.form.max_tokens,
      cell: recommended.form.cell,
      request: redactForeign(recommended.request, redact),
      curl: curlSnippet(service, paths.request),
      openai: openaiSnippet(service, recommended.form.form, paths.request),
    },
    forms: answer.forms.map((form) => ({
      ...redactAll({ ...form }, redact),
      evidence: formEvidence(form, checked),
    })),
    run: {
      folder: paths.folder,
      id: report.run.id,
      requests: report.run.requests,
      usage: report.run.usage,
      complete: report.run.complete && !interrupted,
      schema_name: checked.schemaName,
    },
  };
}

/** The answer on one screen: the verdict, the forms, what one must know, and the request to copy. */
export function checkScreen(checked: Checked, terminal: { readonly color: boolean; readonly columns: number }): string {
  const { answer, report, service, model, redact, paths } = checked;
  const color = createPaint(terminal.color);
  const width = Math.max(40, terminal.columns);
  const paragraph = (text: string): string => wrapAnsi(oneLine(redact(text)), width);
  const { recommended, verdict } = answer;
  const paint = { reliable: color.green, unreliable: color.red, unmeasured: color.yellow }[verdict];
  const shown = recommended?.form ?? answer.forms.find(({ trials }) => trials.total > 0);
  const { requests, usage } = report.run;
  const sections = [
    [color.bold(oneLine(`${model.key}, ${paths.schema}`)), paint(paragraph(checkSummary(checked)))],
    [
      ...(report.models[0]?.reachable === false ? [] : tableOf(answer.forms, width, redact, color)),
      ...checkCaveats(checked).map(paragraph),
    ],
    [
      ...(shown === undefined ? [] : [`evidence  ${formEvidence(shown, checked)}`]),
      say(checks.asked, { requests, tokens: usage.total_tokens, folder: paths.folder }),
    ],
    ...(recommended === null ? [] : requestSections(service, recommended.form.form, paths.request, color)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function requestSections(service: AskedService, form: FormName, file: string, color: Paint): readonly string[][] {
  const about =
    service.baseUrl === 'simulator' ? 'BASE_URL: what chatspec simulate prints' : 'the request, with its settings';
  return [
    [color.dim(`# ${about}`), curlSnippet(service, file)],
    [color.dim('// with the openai client'), openaiSnippet(service, form, file)],
  ];
}

const formEvidence = ({ cell }: CheckedForm, { report, paths }: Checked): string =>
  oneLine(evidenceCommand(paths.folder, cell, report.run.config));

/** The answer in one sentence. */
function checkSummary(checked: Checked): string {
  const { answer, model, interrupted } = checked;
  if (answer.recommended !== null) {
    const { form } = answer.recommended;
    const { passed, total } = form.trials;
    return say(checks.relyOn, {
      form: `${formText(form)}${capText(form)}`,
      passed,
      total,
      interval: intervalText(form),
    });
  }
  if (answer.verdict === 'unmeasured') return say(checks.unmeasured, { why: unmeasuredReason(checked) });
  const flaky = answer.forms
    .filter(({ trials }) => trials.passed > 0)
    .map((form) => `${formText(form)}${capText(form)} ${formCountText(form)}`);
  return [
    ...(interrupted ? [say(checks.interrupted)] : []),
    say(checks.relyOnNone, { model: model.id }),
    flaky.length === 0 ? say(checks.noneConforms) : say(checks.flaky, { forms: flaky.join(', ') }),
  ].join(' ');
}

function unmeasuredReason({ report, service, interrupted, budget, answer, otherIds, model }: Checked): string {
  const unreachable = report.models[0]?.unreachable;
  if (unreachable) {
    const address = service.baseUrl === 'simulator' ? null : service.baseUrl;
    const advice =
      otherIds === null
        ? plainRequestAdvice(unreachable, address)
        : `${otherIds.replace(/^./, (letter) => letter.toUpperCase())}.`;
    const what = (unreachable.detail ?? unreachable.class).replace(/[^.!?]$/, '$&.');
    return `${model.id} ${unreachedWords(unreachable)}: ${what} ${advice}`.trim();
  }
  if (interrupted) return say(checks.interruptedBefore);
  if (report.run.stops.some(({ kind }) => kind === 'budget')) {
    return say(checks.budget, { budget });
  }
  const fault = answer.forms.find(({ verdict, detail }) => verdict === 'inconclusive' && detail !== null);
  return fault === undefined ? say(checks.undecided) : `${formText(fault)}: ${fault.detail ?? ''}.`;
}

/** Facts that a reader must know and the sentence lacks. */
function checkCaveats({ answer, trials, report, interrupted, confirming }: Checked): readonly string[] {
  const cut = interrupted ? [say(checks.cut)] : [];
  if (answer.recommended === null) return [...formAdvice(answer.forms), ...cut];
  const { max_tokens: cap, tokens } = answer.recommended.form;
  const few = trials !== null && trials < confirming;
  const spent = report.run.stops.some(({ kind }) => kind === 'budget');
  return [
    ...(few ? [say(checks.few, { trials, confirming })] : []),
    ...(spent ? [say(checks.spent)] : []),
    ...cut,
    ...(cap === null || tokens === null ? [] : [say(checks.longest, { tokens: tokens.largest })]),
    say(checks.values),
  ];
}

/** Advice about the forms that do not hold, each once. */
function formAdvice(forms: readonly CheckedForm[]): readonly string[] {
  const advised = forms
    .filter(isRefuted)
    .map((form) => adviceText(adviceFor({ ...form, asked: [{ capability: form.form, point: form.settings }] }, null)));
  return [...new Set(advised)];
}

/** The forms with what was counted, one a line, and why a form cannot be relied on below it. */
function tableOf(forms: readonly CheckedForm[], width: number, redact: Redact, color: Paint): readonly string[] {
  const rows = forms.map((form) => [
    oneLine(formText(form)),
    String(form.max_tokens ?? ''),
    formCountText(form),
    form.trials.total === 0 ? '' : intervalText(form),
    String(form.tokens?.median ?? ''),
    form.latency_ms === null ? '' : secondsText(form.latency_ms),
  ]);
  if (rows.length === 0) return [];
  const heads = ['form', 'max_tokens', 'conform', '95 %', 'tokens', 'latency'];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [
    color.dim(`  ${line(heads)}`),
    ...forms.flatMap((form, index) => {
      const notHeld = isRefuted(form) ? color.red('✗') : color.yellow('?');
      const mark = form.holds ? color.green('✓') : notHeld;
      const note = form.holds ? null : noteOf(form);
      const above = forms[index - 1];
      const same = above !== undefined && !above.holds && noteOf(above) === note;
      const why = capped(redact(note ?? ''), Math.max(40, 2 * width - 10), '--json shows all');
      return [
        `${mark} ${line(rows[index] ?? [])}`,
        ...(note === null ? [] : [`    ${same ? 'the same' : oneLine(why)}`]),
      ];
    }),
  ];
}

function noteOf({ verdict, trials, detail, class: failure }: CheckedForm): string | null {
  if (verdict === 'pass') return say(checks.morePasses, { needed: trials.needed });
  return detail ?? failure ?? (verdict === 'not_run' ? say(checks.notAsked) : null);
}

/** `tools (tool_choice required, thinking disabled)`. */
function formText({ form, settings }: CheckedForm): string {
  const name = form === 'json_object' ? say(checks.schemaInPrompt) : form;
  const labels = Object.entries(settings).map(([axis, label]) => `${axis} ${label}`);
  return labels.length === 0 ? name : `${name} (${labels.join(', ')})`;
}

const formCountText = ({ trials: { passed, total } }: CheckedForm): string => `${passed} of ${total}`;

/** `72-100 %`, the Wilson interval. */
const intervalText = ({ trials: { interval } }: CheckedForm): string =>
  `${interval.map((bound) => Math.round(bound * 100)).join('-')} %`;

const capText = ({ max_tokens: cap }: CheckedForm): string => (cap === null ? '' : ` with max_tokens ${cap}`);

const secondsText = (milliseconds: number): string =>
  milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

type FormName = 'json_schema' | 'json_object' | 'tools';

/** How a service is reached. */
interface AskedService {
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  readonly apiKeyCommand?: GivenByProgram | null;
  readonly headers: Readonly<Record<string, string | { readonly env: string } | GivenByProgram>>;
}

interface GivenByProgram {
  readonly command: readonly string[];
}

/** As a shell puts it in. */
const shellValue = (value: { readonly env: string } | GivenByProgram): string =>
  'env' in value ? `$${value.env}` : `$(${value.command.map(shellWord).join(' ')})`;

/** As a program of Node reads it; what another program prints, it takes from its environment. */
const nodeValue = (value: { readonly env: string } | GivenByProgram): string =>
  `process.env[${writtenJson('env' in value ? value.env : 'CHATSPEC_API_KEY')}]`;

/** How to send the body that stands in `file`. It names the variables of keys, never keys. */
function curlSnippet({ baseUrl, apiKeyEnv, apiKeyCommand, headers }: AskedService, file: string): string {
  const simulated = baseUrl === 'simulator';
  const key = apiKeyEnv === null ? (apiKeyCommand ?? null) : { env: apiKeyEnv };
  const url = simulated ? '"$BASE_URL/chat/completions"' : shellWord(`${baseUrl}/chat/completions`);
  const more = Object.entries(headers).map(
    ([name, value]) => [name, typeof value === 'string' ? value : { shell: shellValue(value) }] as const,
  );
  const authorization = key === null ? [] : [['Authorization', { shell: `Bearer ${shellValue(key)}` }] as const];
  const all = [...authorization, ...more, ['Content-Type', 'application/json'] as const];
  return curlCommand(url, all, `--data ${shellWord(`@${file}`)}`);
}

/** The same with the client library. */
function openaiSnippet(
  { baseUrl, apiKeyEnv, apiKeyCommand, headers }: AskedService,
  form: FormName,
  file: string,
): string {
  const address = baseUrl === 'simulator' ? `process.env['BASE_URL']` : writtenJson(baseUrl);
  const source = apiKeyEnv === null ? (apiKeyCommand ?? null) : { env: apiKeyEnv };
  const key = source === null ? `'none'` : nodeValue(source);
  const more = Object.entries(headers).map(
    ([name, value]) => `${writtenJson(name)}: ${typeof value === 'string' ? writtenJson(value) : nodeValue(value)}`,
  );
  const options = [
    `baseURL: ${address}`,
    `apiKey: ${key}`,
    ...(more.length === 0 ? [] : [`defaultHeaders: { ${more.join(', ')} }`]),
  ];
  const result = form === 'tools' ? 'message.tool_calls[0].function.arguments' : 'message.content';
  return [
    `import OpenAI from 'openai';`,
    `import { readFileSync } from 'node:fs';`,
    `const client = new OpenAI({ ${options.join(', ')} });`,
    `const body = JSON.parse(readFileSync(${writtenJson(file)}, 'utf8'));`,
    `const { choices: [{ message, finish_reason }] } = await client.chat.completions.create(body);`,
    `const value = JSON.parse(${result}); // then validate it: a 200 promises nothing`,
  ].join('\n');
}
