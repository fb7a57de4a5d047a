import type { ExchangeRecord } from '../../journal/event.js';
import { isObject, type Json } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import type { FailedRequests } from '../../matrix/failed-requests.js';
import { kindsTogether } from '../../matrix/unmeasured/unanswered.js';
import { sum } from '../../stats/sum.js';
import { hitsOnePart } from './hits-one-part.js';
import { countFailure, type FailedAlike, type HowItEnded, type HowItFailed } from './how-it-ended.js';

/** How a request ended that got no usable answer, for a cause that is neither load nor a stop of the run. */
interface Failed extends HowItFailed {
  readonly purpose: ExchangeRecord['purpose'];
  readonly step: string;
  readonly form: Form;
}

/** Requests to one model that have the same fields and ask for the same form of answer. */
interface Form {
  readonly stream: boolean;
  requests: number;
  answered: number;
  lost: number;
  readonly failed: FailedAlike;
  /** Those that made their trials fail. */
  readonly findings: FailedAlike;
}

type Settled = Pick<Outcome, 'passed' | 'fault' | 'class' | 'status' | 'step'>;

/**
 * Counts the requests to each model that got no usable answer and say nothing about it, since they were answered when
 * they were sent again, or could not be judged; and beside them those that ended so and made their trials fail. What is
 * kept grows with the plan.
 */
export function openFailedRequests() {
  const models = new Map<string, Map<string, Form>>();
  /** Those whose trial has not ended: it decides whether the failure is the finding. */
  const waiting = new Map<string, Failed>();
  return {
    add(record: ExchangeRecord, how: HowItEnded): void {
      const form = formOf(models, record);
      form.requests += 1;
      if (how === 'answered') form.answered += 1;
      if (how === 'answered' || how === 'load' || how === 'stop') return;
      const failed: Failed = { purpose: record.purpose, step: record.step, form, ...how };
      // An opening control belongs to no trial.
      if (record.cell === null) countFailure(form.failed, failed);
      else waiting.set(record.id, failed);
    },
    /**
     * The trial of these exchanges has ended.
     * @returns whether a request of its probe got no usable answer
     */
    settle(exchanges: Iterable<string>, outcome: Settled): boolean {
      let last = null as Failed | null;
      for (const id of exchanges) {
        const failed = waiting.get(id);
        if (failed === undefined) continue;
        waiting.delete(id);
        const { form } = failed;
        const ofFinding = isFinding(failed, outcome);
        countFailure(ofFinding ? form.findings : form.failed, failed);
        if (ofFinding) continue;
        if (failed.purpose === 'probe') last = failed;
      }
      // Without a class, an answer came that chatspec could not judge.
      if (last !== null && outcome.fault && outcome.class !== null) last.form.lost += 1;
      return last !== null;
    },
    /** Nobody will know what these exchanges of a trial that did not end would have shown. */
    forget(id: string): void {
      waiting.delete(id);
    },
    /** By model, those with such requests. */
    all(): ReadonlyMap<string, FailedRequests> {
      return new Map(
        [...models].flatMap(([model, forms]) => {
          const found = failedOf([...forms.values()]);
          return found === null ? [] : [[model, found] as const];
        }),
      );
    },
  };
}

/** Fields whose values say in which form an answer is asked for. */
const telling = ['response_format', 'tool_choice', 'stream'];

function requestKind(body: Json): string {
  if (!isObject(body)) return '';
  const forms = telling.map((name) => {
    const value = body[name];
    return isObject(value) ? value['type'] : value;
  });
  return JSON.stringify([Object.keys(body).sort(), forms]);
}

function formOf(models: Map<string, Map<string, Form>>, { model, exchange: { request } }: ExchangeRecord): Form {
  const forms = models.get(model) ?? new Map<string, Form>();
  models.set(model, forms);
  const name = requestKind(request.body);
  const stream = isObject(request.body) && request.body['stream'] === true;
  const form = forms.get(name) ?? { stream, requests: 0, answered: 0, lost: 0, failed: new Map(), findings: new Map() };
  forms.set(name, form);
  return form;
}

/** The trial was judged by this failure, so that its verdict says it. */
function isFinding({ purpose, step, status }: Failed, outcome: Settled): boolean {
  if (outcome.passed || outcome.fault || status === null || purpose === 'control') return false;
  if (outcome.class !== 'http_error' && outcome.class !== 'malformed_response') return false;
  return status === outcome.status && (outcome.step === null || outcome.step === step);
}

/** A kind of request that was never answered says nothing of the others: its cells could not be measured, and say so. */
function failedOf(all: readonly Form[]): FailedRequests | null {
  const counted = all.filter(({ answered }) => answered > 0);
  const kinds = kindsTogether(counted.map(({ failed }) => [...failed.values()]));
  if (kinds.length === 0) return null;
  const stream = formConcerned(counted, all);
  const concerned = stream === null ? all : all.filter((form) => form.stream === stream);
  const findings = kindsTogether(concerned.map((form) => [...form.findings.values()]));
  return {
    failed: failedIn(counted),
    of: requestsOf(concerned),
    stream,
    lost: sum(counted.map(({ lost }) => lost)),
    kinds,
    ...(findings.length > 0 && { findings }),
  };
}

const requestsOf = (forms: readonly Form[]): number => sum(forms.map(({ requests }) => requests));

const failedIn = (forms: readonly Form[]): number =>
  sum(forms.flatMap(({ failed }) => [...failed.values()].map(({ requests }) => requests)));

/** Whether only streamed requests failed (true), or only others (false); null: both, or too few to tell. */
function formConcerned(counted: readonly Form[], all: readonly Form[]): boolean | null {
  const total = failedIn(counted);
  for (const stream of [true, false]) {
    const alike = (forms: readonly Form[]): Form[] => forms.filter((form) => form.stream === stream);
    const share = requestsOf(alike(all)) / requestsOf(all);
    if (failedIn(alike(counted)) === total && hitsOnePart(share, total)) return stream;
  }
  return null;
}
