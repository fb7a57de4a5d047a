import type { Json } from '../../json/json.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';

/** What `doctor` found out about one model. */
export interface Checkup {
  readonly target: string;
  readonly model: string;
  readonly ok: boolean;
  /** The service does not know its id: `gone` if an earlier run, or the baseline, knew it. null: it does. */
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
export interface Addresses {
  /** Chat Completions tools. */
  readonly base_url: string;
  /** Tools that ask for the full endpoint address. */
  readonly endpoint: string;
  /** Messages-style tools: without the last segment `/v1`; null where the address has none. */
  readonly messages_style: string | null;
}

/** Where a text that was cut is whole. */
const elsewhere = 'doctor --json shows all';

function shown(text: string): string {
  return oneLine(capped(text, undefined, elsewhere));
}

/** The models of each target, and after them the addresses of the target. */
export function checkupsText(checkups: readonly Checkup[], services: ReadonlyMap<string, Service>): string {
  const targets = [...new Set(checkups.map(({ target }) => target))];
  return targets
    .map((target) => {
      const own = checkups.filter((checkup) => checkup.target === target);
      return [
        ...own.map(modelText),
        ...own.slice(0, 1).map((one) => addressesText(one, services.get(one.target))),
      ].join('\n');
    })
    .join('\n');
}

function modelText(checkup: Checkup): string {
  const { target, model, ok, missing } = checkup;
  return [
    `${oneLine(`${target}/${model}`)}: ${ok ? 'ok' : (missing?.toUpperCase() ?? 'NOT OK')}`,
    `  request        plain, not streamed: ${checkup.status === null ? 'no answer' : `HTTP ${checkup.status}`}`,
    ...(checkup.problem === null ? [] : [`  problem        ${shown(checkup.problem)}`]),
    ...(checkup.advice === null ? [] : [`  next step      ${shown(checkup.advice)}`]),
    ...(ok ? answerLines(checkup) : []),
    ...(ok || checkup.traceresponse === null ? [] : [`  traceresponse  ${shown(checkup.traceresponse)}`]),
    '',
  ].join('\n');
}

function answerLines({ content, finish_reason, id, usage, traceresponse }: Checkup): readonly string[] {
  return [
    `  content        ${capped(jsonText(content, 0), undefined, elsewhere)}`,
    `  finish_reason  ${shown(finish_reason ?? 'none')}`,
    `  id             ${shown(id ?? 'none')}`,
    `  usage          ${capped(jsonText(usage, 0), undefined, elsewhere)}`,
    `  traceresponse  ${shown(traceresponse ?? 'none')}`,
  ];
}

/** What decides how other tools reach a target. */
export interface Service {
  readonly simulated: boolean;
  readonly needsKey: boolean;
}

function addressesText(
  { target, addresses }: Checkup,
  service: Service = { simulated: false, needsKey: true },
): string {
  const unknown = 'not known, since base_url does not end in /v1; the service documents it';
  const also = `which also need ${service.needsKey ? 'the API key and ' : ''}a model ID`;
  const during = service.simulated ? ` while chatspec simulate --port ${simulatorPort} runs` : '';
  const { base_url, endpoint, messages_style } = service.simulated ? simulatorAddresses(addresses) : addresses;
  return [
    `${oneLine(target)}: addresses for other tools${during}, ${also}`,
    `  Chat Completions tool, base URL      ${base_url}`,
    `  tool that needs the full address     ${endpoint}`,
    `  Messages-style tool                  ${messages_style ?? unknown}`,
    '',
  ].join('\n');
}

const simulatorPort = 8080;

/** Those of the embedded service end with this command, so those that outlive it are shown. */
function simulatorAddresses({ base_url, endpoint, messages_style }: Addresses): Addresses {
  const later = (address: string): string => address.replace(/:\d+(?=\/|$)/, `:${simulatorPort}`);
  return {
    base_url: later(base_url),
    endpoint: later(endpoint),
    messages_style: messages_style === null ? null : later(messages_style),
  };
}
