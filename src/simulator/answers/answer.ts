import { completionOf } from './limit-tokens.js';
import { checkRequest } from '../http/check-request.js';
import { composeDraft } from './compose-draft.js';
import { bodyActions, completionActions } from '../faults/completion-actions.js';
import { completionBody, completionEvents, type StreamEvent } from '../http/encode-completion.js';
import { draftActions } from '../faults/draft-actions.js';
import { eventActions } from '../faults/event-actions.js';
import type { Do } from '../profiles/profile.js';
import type { ReplayedAnswers } from '../faults/replayed-answers.js';
import type { AnswerContext } from './answer-context.js';
import type { Draft } from './draft.js';
import { relabelled } from '../profiles/seeded-random.js';
import type { ServiceError } from '../http/service-error.js';
import { conditionsMet } from '../profiles/fault-conditions.js';
import { responseActions } from '../faults/response-actions.js';
import { jsonResponse, httpResponse, type HttpResponse } from '../http/response.js';

/**
 * The answer to a request for a known model. A fault that responds comes first, then the refusal of an invalid request,
 * then the right answer with the model's faults applied stage by stage.
 * `refusal`: what is already known to be wrong with the request; `overrides`: what comes before the model's faults.
 */
export async function answer(
  context: AnswerContext,
  refusal: ServiceError | null,
  replayed: ReplayedAnswers,
  overrides: readonly Do[],
): Promise<HttpResponse> {
  const own = context.profile.faults.filter((fault, index) => conditionsMet(fault.when, context, String(index)));
  const faults = [...overrides, ...own.map((fault) => fault.do)];
  const finish = (response: HttpResponse): HttpResponse => apply(responseActions, faults, withTrace(response, context));
  const respondAction = faults.find((fault) => fault.respond !== undefined)?.respond;
  if (respondAction !== undefined) return finish(respond(respondAction, replayed));
  const error = refusal ?? checkRequest(context.request);
  if (error !== null) return finish(jsonResponse(error.status, error.body));
  const composed = await draftOf(context, faults);
  if ('status' in composed) return finish(jsonResponse(composed.status, composed.body));
  const others = await otherDrafts(context, faults);
  const completion = apply(completionActions, faults, completionOf([composed, ...others], context));
  if (!context.request.stream) return finish(jsonResponse(200, apply(bodyActions, faults, completionBody(completion))));
  return finish(streamResponse(apply(eventActions, faults, completionEvents(completion))));
}

async function draftOf(context: AnswerContext, faults: readonly Do[]): Promise<Draft | ServiceError> {
  const composed = await composeDraft(context);
  return 'status' in composed ? composed : applyAsync(draftActions, faults, composed, context);
}

/** The further choices that the request asks for, each a draw of its own. */
async function otherDrafts(context: AnswerContext, faults: readonly Do[]): Promise<readonly Draft[]> {
  const drafts = Array.from({ length: context.request.choices - 1 }, (_, index) =>
    draftOf({ ...context, words: relabelled(context.words, `choice ${index + 1}`) }, faults),
  );
  return (await Promise.all(drafts)).flatMap((draft) => ('status' in draft ? [] : [draft]));
}

function withTrace(response: HttpResponse, { random }: AnswerContext): HttpResponse {
  const traceresponse = `00-${random.hex('trace', 32)}-${random.hex('span', 16)}-01`;
  return { ...response, headers: { traceresponse, ...response.headers } };
}

function streamResponse(events: readonly StreamEvent[]): HttpResponse {
  const parts = events.map((event) => (event.kind === 'raw' ? event.text : `data: ${JSON.stringify(event.chunk)}\n\n`));
  return httpResponse(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }, parts);
}

function respond(
  { status, headers, body, text, replay }: NonNullable<Do['respond']>,
  replayed: ReplayedAnswers,
): HttpResponse {
  const made = replay === undefined ? freshResponse(status ?? 200, body, text) : replayed(replay);
  return { ...made, headers: { ...made.headers, ...headers } };
}

function freshResponse(
  status: number,
  body: NonNullable<Do['respond']>['body'],
  text: string | undefined,
): HttpResponse {
  return text === undefined
    ? jsonResponse(status, body ?? {})
    : httpResponse(status, { 'content-type': 'text/html; charset=utf-8' }, [text]);
}

/** Changes to a value, by the name of the action. */
type ActionTable = Readonly<Record<string, (value: never, parameter: never, context: never) => unknown>>;

/** The faults' actions that the table lists, in the table's order. */
function* actionsIn(
  table: ActionTable,
  faults: readonly Do[],
): Generator<(value: unknown, context?: AnswerContext) => unknown> {
  for (const [name, action] of Object.entries(table)) {
    for (const fault of faults) {
      const parameter = fault[name as keyof Do];
      // The schema of profiles guarantees that the parameter has the type that this action takes.
      if (parameter !== undefined)
        yield (value, context) => action(value as never, parameter as never, context as never);
    }
  }
}

function apply<T>(table: ActionTable, faults: readonly Do[], start: T): T {
  if (faults.length === 0) return start;
  let value = start;
  for (const change of actionsIn(table, faults)) value = change(value) as T;
  return value;
}

async function applyAsync<T>(table: ActionTable, faults: readonly Do[], start: T, context: AnswerContext): Promise<T> {
  if (faults.length === 0) return start;
  let value = start;
  for (const change of actionsIn(table, faults)) value = (await change(value, context)) as T;
  return value;
}
