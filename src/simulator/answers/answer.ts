import { completionOf, completionBody, completionEvents, type Draft } from '../http/encode-completion.js';
import { checkRequest } from '../http/request.js';
import { composeDraft } from './compose-draft.js';
import { bodyActions, completionActions, eventActions } from '../faults/event-actions.js';
import { draftActions } from '../faults/draft-actions.js';
import type { ActionsOn, Do } from '../profiles/profile.js';
import { responseActions, type replayedAnswersIn } from '../faults/response-actions.js';
import type { AnswerContext } from './thinking.js';
import { seededRandom } from '../profiles/seeded-random.js';
import { conditionsMet } from '../profiles/fault-conditions.js';
import { jsonResponse, httpResponse, type HttpResponse, type ServiceError } from '../http/response.js';
import { writtenJson } from '../../json/json.js';

/**
 * The answer to a request for a known model. A fault that responds comes first, then the refusal of an invalid request,
 * then the right answer with the model's faults applied stage by stage. `refusal`: what is already known to be wrong
 * with the request; `overrides`: what comes before the model's faults.
 */
export async function answer(
  context: AnswerContext,
  refusal: ServiceError | null,
  replayed: ReturnType<typeof replayedAnswersIn>,
  overrides: readonly Do[],
): Promise<HttpResponse> {
  const own = context.profile.faults.filter((fault, index) => conditionsMet(fault.when, context, String(index)));
  const faults = [...overrides, ...own.map((fault) => fault.do)];
  const after = <T>(table: ActionsOn<T, AnswerContext>, start: T): Promise<T> => apply(table, faults, start, context);
  const finish = (response: HttpResponse): Promise<HttpResponse> =>
    after(responseActions, withTrace(response, context));
  const respondAction = faults.find((fault) => fault.respond !== undefined)?.respond;
  if (respondAction !== undefined) return finish(respond(respondAction, replayed));
  const error = refusal ?? checkRequest(context.request);
  if (error !== null) return finish(jsonResponse(error.status, error.body));
  const composed = await draftWithFaults(context, faults);
  if ('status' in composed) return finish(jsonResponse(composed.status, composed.body));
  const others = await otherDrafts(context, faults);
  const completion = await after(completionActions, completionOf([composed, ...others], context));
  return finish(
    context.request.stream
      ? streamResponse(await after(eventActions, completionEvents(completion)))
      : jsonResponse(200, await after(bodyActions, completionBody(completion))),
  );
}

async function draftWithFaults(context: AnswerContext, faults: readonly Do[]): Promise<Draft | ServiceError> {
  const composed = await composeDraft(context);
  return 'status' in composed ? composed : apply(draftActions, faults, composed, context);
}

/** The further choices that the request asks for, each a draw of its own. */
async function otherDrafts(context: AnswerContext, faults: readonly Do[]): Promise<readonly Draft[]> {
  const drafts = Array.from({ length: context.request.choices - 1 }, (_, index) =>
    draftWithFaults({ ...context, words: seededRandom([context.words.hex('choice', 64), index]) }, faults),
  );
  return (await Promise.all(drafts)).flatMap((draft) => ('status' in draft ? [] : [draft]));
}

function withTrace(response: HttpResponse, { random }: AnswerContext): HttpResponse {
  const traceresponse = `00-${random.hex('trace', 32)}-${random.hex('span', 16)}-01`;
  return { ...response, headers: { traceresponse, ...response.headers } };
}

function streamResponse(events: ReturnType<typeof completionEvents>): HttpResponse {
  const parts = events.map((event) => (event.kind === 'raw' ? event.text : `data: ${writtenJson(event.chunk)}\n\n`));
  return httpResponse(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }, parts);
}

function respond(
  { status = 200, headers, body = {}, text, replay }: NonNullable<Do['respond']>,
  replayed: ReturnType<typeof replayedAnswersIn>,
): HttpResponse {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const fresh = text === undefined ? jsonResponse(status, body) : httpResponse(status, html, [text]);
  const made = replay === undefined ? fresh : replayed(replay);
  return { ...made, headers: { ...made.headers, ...headers } };
}

/** The value after the faults' actions of this stage, in the order of the table. */
async function apply<T>(
  table: ActionsOn<T, AnswerContext, T | Promise<T>>,
  faults: readonly Do[],
  start: T,
  context: AnswerContext,
): Promise<T> {
  type Action = (value: T, parameter: unknown, context: AnswerContext) => T | Promise<T>;
  let value = start;
  // The schema of profiles guarantees that a parameter has the type that its action takes.
  for (const [name, action] of Object.entries(table) as unknown as [keyof Do, Action][]) {
    for (const fault of faults) if (fault[name] !== undefined) value = await action(value, fault[name], context);
  }
  return value;
}
