import { readAnswer } from '../../chat/read-answer.js';
import { isSuccess, type Exchange } from '../../chat/exchange.js';
import type { ModelConfig, TargetConfig } from '../../config/config.js';
import { userError } from '../../files/problems/problem.js';
import { didYouMean } from '../../files/problems/nearest.js';
import type { Outcome } from '../../judge/outcome.js';
import { outcomeProse } from '../../judge/outcome-classes.js';
import { reasonProse } from '../../judge/reasons.js';
import type { Json } from '../../json/json.js';
import { connect } from '../../assemble/connect.js';
import type { Project } from '../../assemble/project.js';
import { judgeControl } from '../../assemble/run-parts.js';
import { controlBody } from '../../plan/request/request-body.js';
import { checkCredentials } from '../runs/check-credentials.js';
import { exitCodes } from '../errors/exit-codes.js';
import { loadInputs } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';
import { textOf } from '../options/options.js';
import type { Options } from '../verb.js';
import { type Redact, redactAll, redactForeign, redactor } from '../../report/safe/redact.js';
import { unreachedAdvice } from '../../report/view/unreached-advice.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';

/** Characters of a body that is no reply. */
const mostOfProblem = 500;

interface Checkup {
  readonly target: string;
  readonly model: string;
  readonly ok: boolean;
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

/** The first check of a service: one plain, non-streaming request to each target. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const project = await loadInputs(options, io);
  const chosen = chosenModels(project, options);
  const targets = chosen.map(({ target }) => target);
  checkCredentials(targets, project.env, io);
  const redact = redactor(project.config.redact, project.keys);
  const connections = await connect(targets, project.env, { seed: 1 });
  const checkups: Checkup[] = [];
  try {
    for (const { target, model } of chosen) {
      const reach = connections.targets.get(target.name);
      if (reach === undefined) continue;
      const exchange = await reach.send(controlBody(model), {}, new AbortController().signal);
      checkups.push(redactedCheckup(checkupOf(target, model, exchange, judgeControl(exchange)), redact));
    }
  } finally {
    await connections.close();
  }
  io.out(options['json'] === true ? `${jsonText(checkups)}\n` : checkups.map(checkupText).join('\n'));
  return checkups.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.unmeasured;
}

function chosenModels({ config }: Project, options: Options): readonly { target: TargetConfig; model: ModelConfig }[] {
  const [name, id] = [textOf(options, 'target'), textOf(options, 'model')];
  const targets = config.targets.filter((target) => name === undefined || target.name === name);
  const chosen = targets.flatMap((target) => {
    const model = target.models.find((candidate) => id === undefined || candidate.id === id);
    return model === undefined ? [] : [{ target, model }];
  });
  if (chosen.length > 0) return chosen;
  const [what, word, names] =
    targets.length === 0
      ? ['target', name ?? '', config.targets.map((target) => target.name)]
      : ['model', id ?? '', targets.flatMap((target) => target.models.map((model) => model.id))];
  throw userError(`the config has no ${what} "${word}"`, didYouMean(word, names));
}

function checkupOf(target: TargetConfig, model: ModelConfig, { answer, request }: Exchange, outcome: Outcome): Checkup {
  const reading = readAnswer(answer);
  const reply = reading.kind === 'reply' ? reading.reply : null;
  const { status, failure, headers } = answer;
  const address = request.url.replace(/\/chat\/completions$/, '');
  const ok = isSuccess(status) && failure === null && reply !== null;
  return {
    target: target.name,
    model: model.id,
    ok,
    status,
    content: reply?.content ?? null,
    finish_reason: reply?.finish_reason ?? null,
    id: reply?.id ?? reply?.request_id ?? null,
    usage: reply?.usage ?? null,
    traceresponse: headers['traceresponse'] ?? null,
    problem: failure?.message ?? (reply === null ? answer.body.join('') : null),
    advice: ok ? null : adviceFor(outcome, address),
    addresses: addressesFor(address),
  };
}

/** Of what the service wrote. Redacted before it is cut: half an address is still an address. */
function redactedCheckup(checkup: Checkup, redact: Redact): Checkup {
  const { content, finish_reason, id, traceresponse, problem } = checkup;
  const written = redactAll({ content, finish_reason, id, traceresponse, problem }, redact);
  return {
    ...checkup,
    ...written,
    usage: redactForeign(checkup.usage, redact),
    problem: written.problem === null ? null : written.problem.slice(0, mostOfProblem),
  };
}

function adviceFor({ class: outcome, reason, status, detail }: Outcome, baseUrl: string): string | null {
  const address = outcome === null ? '' : unreachedAdvice({ class: outcome, reason, status, detail }, baseUrl);
  if (address !== '') return address;
  if (reason !== null && reason !== 'unknown') return reasonProse[reason].advice;
  return outcome === null ? null : outcomeProse[outcome].advice;
}

/** Where a text that was cut is whole. */
const elsewhere = 'doctor --json shows all';

function shown(text: string): string {
  return oneLine(capped(text, undefined, elsewhere));
}

function checkupText(checkup: Checkup): string {
  const { addresses } = checkup;
  return [
    `${checkup.target}: ${checkup.ok ? 'ok' : 'NOT OK'}`,
    `  request        plain, not streamed, to ${checkup.model}: ${checkup.status === null ? 'no answer' : `HTTP ${checkup.status}`}`,
    ...(checkup.problem === null ? [] : [`  problem        ${shown(checkup.problem)}`]),
    ...(checkup.advice === null ? [] : [`  next step      ${checkup.advice}`]),
    `  content        ${capped(jsonText(checkup.content, 0), undefined, elsewhere)}`,
    `  finish_reason  ${shown(checkup.finish_reason ?? 'none')}`,
    `  id             ${shown(checkup.id ?? 'none')}`,
    `  usage          ${capped(jsonText(checkup.usage, 0), undefined, elsewhere)}`,
    `  traceresponse  ${shown(checkup.traceresponse ?? 'none')}`,
    '  addresses for other tools, which also need the API key and a model ID:',
    `    Chat Completions tool, base URL      ${addresses.base_url}`,
    `    tool that needs the full address     ${addresses.endpoint}`,
    `    Messages-style tool                  ${addresses.messages_style ?? 'not known, since base_url does not end in /v1; the service documents it'}`,
    '',
  ].join('\n');
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

/** @param baseUrl without a trailing slash */
function addressesFor(baseUrl: string): Addresses {
  return {
    base_url: baseUrl,
    endpoint: `${baseUrl}/chat/completions`,
    messages_style: /\/v1$/.test(baseUrl) ? baseUrl.replace(/\/v1$/, '') : null,
  };
}
