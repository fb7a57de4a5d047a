import { modelKey } from '../../cell/model-names.js';
import { isSuccess, type Exchange } from '../../chat/exchange.js';
import { readExchangeAnswer } from '../../chat/read-answer.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { groupBy } from '../../json/group-by.js';
import { writtenJson, type Json } from '../../json/json.js';
import { withoutNumbers } from '../../judge/refusals/refusal-name.js';
import type { Outcome } from '../../judge/outcome.js';
import { redactAll, redactForeign, type Redact } from '../safe/redact.js';
import { texts } from '../words/catalogue.js';
import { plainRequestAdvice } from '../words/connection-advice.js';
import { say } from '../words/message.js';
import { capped } from '../safe/capped.js';
import { oneLine, safeJsonText } from '../safe/escape.js';
import { joinedNames } from '../sections/names.js';

const { unknownIds } = texts;

/** Findings of `doctor` about one model. */
export interface Checkup {
  readonly target: string;
  readonly model: string;
  readonly ok: boolean;
  /** The service does not know its id: `gone` if the newest run knew it. null: it does. */
  readonly missing: 'unknown' | 'gone' | null;
  /** Ids that are like it, of those that the service's `/models` lists. */
  readonly near: readonly string[];
  readonly status: number | null;
  readonly content: string | null;
  readonly finish_reason: string | null;
  readonly id: string | null;
  readonly usage: Json;
  readonly traceresponse: string | null;
  readonly problem: string | null;
  /** The next step; null if all is well. */
  readonly advice: string | null;
  readonly addresses: Addresses;
}

/** Addresses to enter into other tools, which also need the API key and a model ID. */
interface Addresses {
  /** Chat Completions tools. */
  readonly base_url: string;
  /** Tools that ask for the full endpoint address. */
  readonly endpoint: string;
  /** Messages-style tools: without the last segment `/v1`; null where the address has none. */
  readonly messages_style: string | null;
}

/** Characters of a body that is no reply. */
const mostOfProblem = 500;

interface CheckedModel {
  readonly target: string;
  readonly id: string;
}

interface CheckupFinding {
  readonly outcome: Outcome;
  readonly missing: Checkup['missing'];
  /** The ids that the service's `/models` lists, where it was asked and has a list. */
  readonly listed: readonly string[] | null;
}

/** Findings from one plain exchange with a model. */
export function checkupOf(
  model: CheckedModel,
  { answer, request }: Exchange,
  finding: CheckupFinding,
  redact: Redact,
): Checkup {
  const reading = readExchangeAnswer(answer);
  const reply = reading.kind === 'reply' ? reading.reply : null;
  const { status, failure, headers } = answer;
  const baseUrl = request.url.replace(/\/chat\/completions$/, '');
  const isAnswered = isSuccess(status) && failure === null && reply !== null;
  const ok = isAnswered && finding.outcome.passed;
  const isRedirect = status !== null && status >= 300 && status < 400;
  const near = finding.missing === null ? [] : nearNames(model.id, finding.listed ?? []);
  return redactedCheckup(
    {
      target: model.target,
      model: model.id,
      ok,
      missing: isAnswered ? null : finding.missing,
      near,
      status,
      content: reply?.content ?? null,
      finish_reason: reply?.finish_reason ?? null,
      id: reply?.id ?? reply?.request_id ?? null,
      usage: reply?.usage ?? null,
      traceresponse: headers['traceresponse'] ?? null,
      problem: ok ? null : (failure?.message ?? whatCame(reply === null && !isRedirect, answer, finding)),
      advice: ok ? null : adviceFor(model, finding, baseUrl),
      addresses: {
        base_url: baseUrl,
        endpoint: `${baseUrl}/chat/completions`,
        messages_style: /\/v1$/.test(baseUrl) ? baseUrl.replace(/\/v1$/, '') : null,
      },
    },
    redact,
  );
}

/** An answer that no client can read, as it came; else its fault. */
function whatCame(isUnread: boolean, { body }: Exchange['answer'], { outcome }: CheckupFinding): string | null {
  return isUnread ? body.join('') : outcome.detail;
}

/** Of what the service wrote. Redacted before it is cut: half an address is still an address. */
function redactedCheckup(checkup: Checkup, redact: Redact): Checkup {
  const { content, finish_reason, id, traceresponse, problem, advice } = checkup;
  const written = redactAll({ content, finish_reason, id, traceresponse, problem, advice }, redact);
  return {
    ...checkup,
    ...written,
    near: checkup.near.map(redact),
    usage: redactForeign(checkup.usage, redact),
    problem: written.problem?.slice(0, mostOfProblem) ?? null,
  };
}

function adviceFor({ id }: CheckedModel, { outcome, missing, listed }: CheckupFinding, baseUrl: string): string | null {
  const { class: kind, reason, status, clue } = outcome;
  if (missing !== null) {
    return `${say(unknownIds[missing])}; ${listed === null ? say(unknownIds.noList) : idsLike(id, listed)}`;
  }
  return kind === null ? null : plainRequestAdvice({ class: kind, reason, status, ...(clue && { clue }) }, baseUrl);
}

/**
 * Advice about an id that a service does not know, by the ids that it lists; it may list one that the key may not
 * use.
 */
export function idsLike(id: string, listed: readonly string[]): string {
  if (listed.includes(id)) return say(unknownIds.listed);
  const near = nearHint(nearNames(id, listed), { title: '', names: [] });
  if (near !== undefined) return near;
  return say(unknownIds.notNear, { ids: listed.slice(0, 3).join(', '), more: Math.max(0, listed.length - 3) });
}

interface CheckedService {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
}

/** Of models that fail alike, so many are named. */
const mostNames = 8;

/** Where a text that was cut is whole. */
const doctorJsonHint = 'doctor --json shows all';

function checkupLine(text: string): string {
  return oneLine(capped(text, undefined, doctorJsonHint));
}

/** The models of each target, one cause of several once, and after them the addresses of the target. */
export function checkupsText(checkups: readonly Checkup[], targets: readonly CheckedService[]): string {
  const causes = groupBy(checkups, causeOf);
  const parts = targets.flatMap((target) => {
    const own = checkups.filter((checkup) => checkup.target === target.name);
    const linesOfModels = own.flatMap((one) => {
      const alike = causes.get(causeOf(one)) ?? [one];
      return alike[0] === one ? modelText(one, alike) : [];
    });
    return [...linesOfModels, ...own.slice(0, 1).map((one) => addressesText(one, target))];
  });
  return parts.join('\n');
}

const isAnsweredCheckup = ({ ok, finish_reason, content }: Checkup): boolean =>
  ok || finish_reason !== null || content !== null;

/** Equal for models of one address that fail alike, whatever differs from one request to the next. */
function causeOf(checkup: Checkup): string {
  const { target, model, missing, status, problem, advice, addresses } = checkup;
  if (isAnsweredCheckup(checkup) || missing !== null) return writtenJson([target, model]);
  const said = withoutNumbers((problem ?? '').replaceAll(/[\w.:/+-]*\w/g, (word) => (word === model ? '#' : word)));
  return writtenJson([addresses.endpoint, status, said, advice]);
}

/** @param alike the models that fail in the same way, itself among them */
function modelText(checkup: Checkup, alike: readonly Checkup[]): string {
  const { ok, missing } = checkup;
  const isAnswered = isAnsweredCheckup(checkup);
  const names = alike.map(({ target, model }) => oneLine(modelKey(target, model)));
  return [
    `${joinedNames(names, mostNames)}: ${ok ? 'ok' : (missing?.toUpperCase() ?? 'NOT OK')}`,
    `  request        plain, not streamed: ${checkup.status === null ? 'no answer' : `HTTP ${checkup.status}`}`,
    ...(checkup.problem === null ? [] : [`  problem        ${checkupLine(checkup.problem)}`]),
    ...(checkup.advice === null ? [] : [`  next step      ${checkupLine(checkup.advice)}`]),
    ...(isAnswered ? answerLines(checkup) : []),
    ...(isAnswered || checkup.traceresponse === null ? [] : [`  traceresponse  ${checkupLine(checkup.traceresponse)}`]),
    '',
  ].join('\n');
}

function answerLines({ content, finish_reason, id, usage, traceresponse }: Checkup): readonly string[] {
  return [
    `  content        ${capped(safeJsonText(content, 0), undefined, doctorJsonHint)}`,
    `  finish_reason  ${checkupLine(finish_reason ?? 'none')}`,
    `  id             ${checkupLine(id ?? 'none')}`,
    `  usage          ${capped(safeJsonText(usage, 0), undefined, doctorJsonHint)}`,
    `  traceresponse  ${checkupLine(traceresponse ?? 'none')}`,
  ];
}

const simulatorPort = 8080;

function addressesText({ target, addresses }: Checkup, { baseUrl, apiKeyEnv }: CheckedService): string {
  const unknown = 'not known, since base_url does not end in /v1; the service documents it';
  const also = `which also need ${apiKeyEnv === null ? '' : 'the API key and '}a model ID`;
  const simulated = baseUrl === 'simulator';
  const during = simulated ? ` while chatspec simulate --port ${simulatorPort} runs` : '';
  // The embedded service ends with this command, so the address is shown of one that outlives it.
  const shownAddress = (url: string): string => (simulated ? url.replace(/:\d+(?=\/|$)/, `:${simulatorPort}`) : url);
  return [
    `${oneLine(target)}: addresses for other tools${during}, ${also}`,
    `  Chat Completions tool, base URL      ${shownAddress(addresses.base_url)}`,
    `  tool that needs the full address     ${shownAddress(addresses.endpoint)}`,
    `  Messages-style tool                  ${shownAddress(addresses.messages_style ?? unknown)}`,
    '',
  ].join('\n');
}
