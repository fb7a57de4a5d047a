import { bodyActions } from '../faults/body-actions.js';
import { cap } from '../faults/cap.js';
import { checkRequest } from '../http/check-request.js';
import { compose } from './compose.js';
import { completionActions } from '../faults/completion-actions.js';
import { completionBody } from '../http/completion-body.js';
import { completionEvents, type StreamEvent } from '../http/completion-events.js';
import { draftActions } from '../faults/draft-actions.js';
import { eventActions } from '../faults/event-actions.js';
import type { Do } from '../profiles/profile.js';
import type { Replays } from '../faults/replayed-answers.js';
import type { Scene } from './answer-context.js';
import type { ServiceError } from '../http/service-error.js';
import { holds } from '../profiles/when.js';
import { wireActions } from '../faults/wire-actions.js';
import { jsonWire, wire, type Wire } from '../http/wire.js';

/**
 * The answer to a request that could be read: a fault that responds comes first, then what the service refuses,
 * then the right answer with the model's faults applied stage by stage.
 */
export async function answer(scene: Scene, refusal: ServiceError | null, replays: Replays): Promise<Wire> {
  const faults = scene.profile.faults
    .filter((fault, index) => holds(fault.when, scene, String(index)))
    .map((fault) => fault.do);
  const traced = (made: Wire): Wire => apply(wireActions, faults, withTrace(made, scene));
  const response = faults.find((fault) => fault.respond !== undefined)?.respond;
  if (response !== undefined) return traced(respond(response, replays));
  const complaint = refusal ?? (await checkRequest(scene.request));
  if (complaint !== null) return traced(jsonWire(complaint.status, complaint.body));
  const composed = await compose(scene);
  if ('status' in composed) return traced(jsonWire(composed.status, composed.body));
  const draft = await applyInTurn(draftActions, faults, composed, scene);
  const completion = apply(completionActions, faults, cap(draft, scene));
  const field = scene.profile.traits.thinking.field ?? 'reasoning_content';
  if (!scene.request.stream)
    return traced(jsonWire(200, apply(bodyActions, faults, completionBody(completion, field))));
  return traced(streamWire(apply(eventActions, faults, completionEvents(completion, field))));
}

function withTrace(made: Wire, { chance }: Scene): Wire {
  const traceresponse = `00-${chance.hex('trace', 32)}-${chance.hex('span', 16)}-01`;
  return { ...made, headers: { traceresponse, ...made.headers } };
}

function streamWire(events: readonly StreamEvent[]): Wire {
  const parts = events.map((event) => (event.kind === 'raw' ? event.text : `data: ${JSON.stringify(event.chunk)}\n\n`));
  return wire(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }, parts);
}

function respond({ status, headers, body, text, replay }: NonNullable<Do['respond']>, replays: Replays): Wire {
  const made = replay === undefined ? freshResponse(status ?? 200, body, text) : replays(replay);
  return { ...made, headers: { ...made.headers, ...headers } };
}

function freshResponse(status: number, body: NonNullable<Do['respond']>['body'], text: string | undefined): Wire {
  return text === undefined
    ? jsonWire(status, body ?? {})
    : wire(status, { 'content-type': 'text/html; charset=utf-8' }, [text]);
}

/** A table of changes to a value, by the name of the action. */
type Table = Readonly<Record<string, (value: never, parameter: never, scene: never) => unknown>>;

/** The faults' actions that the table knows, in the order in which the table lists them. */
function* actionsIn(table: Table, faults: readonly Do[]): Generator<(value: unknown, scene?: Scene) => unknown> {
  for (const [name, action] of Object.entries(table)) {
    for (const fault of faults) {
      const parameter = fault[name as keyof Do];
      // The profile's schema vouches that the parameter is what the action of this name takes.
      if (parameter !== undefined) yield (value, scene) => action(value as never, parameter as never, scene as never);
    }
  }
}

function apply<T>(table: Table, faults: readonly Do[], start: T): T {
  if (faults.length === 0) return start;
  let value = start;
  for (const change of actionsIn(table, faults)) value = change(value) as T;
  return value;
}

async function applyInTurn<T>(table: Table, faults: readonly Do[], start: T, scene: Scene): Promise<T> {
  if (faults.length === 0) return start;
  let value = start;
  for (const change of actionsIn(table, faults)) value = (await change(value, scene)) as T;
  return value;
}
