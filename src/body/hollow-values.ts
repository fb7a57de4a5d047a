import { nearest } from '../files/problems/nearest.js';
import type { Path } from '../files/source.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Fault } from './fault.js';
import { valuesAt } from './values-at.js';

/** Lists that ask for nothing when they hold nothing, and texts that name or say nothing when they are empty. */
const neverEmpty: readonly (readonly string[])[] = [
  'messages',
  'messages.*.name',
  'messages.*.content.*.type',
  'messages.*.content.*.text',
  'messages.*.content.*.image_url.url',
  'messages.*.content.*.input_audio.data',
  'messages.*.content.*.input_audio.format',
  'messages.*.tool_calls',
  'messages.*.tool_calls.*.id',
  'messages.*.tool_call_id',
  'tools',
  'stop',
  'stop.*',
  'modalities',
  'modalities.*',
  'functions',
  'thinking.type',
  'reasoning_effort',
  'verbosity',
  'service_tier',
].map((place) => place.split('.'));

/** What a number may be at least. Several servers take a cap of -1 for none. */
const atLeast: Readonly<Record<string, number>> = {
  n: 1,
  max_tokens: 1,
  max_completion_tokens: 1,
  temperature: 0,
  top_p: 0,
  top_logprobs: 0,
};
const noCap = -1;

/**
 * What a whole body holds that is valid, but asks for nothing: most services refuse it, and a request that is empty by
 * mistake measures how they do so. A warning, since a probe may mean it.
 */
export function* hollowFaults(body: JsonObject): Generator<Fault> {
  for (const place of neverEmpty) {
    // Most bodies hold few of them, and every cell has a body.
    if (place[0] === undefined || body[place[0]] === undefined) continue;
    for (const { path, value } of valuesAt(body, place)) {
      // Of a tool_choice without tools, an error speaks already.
      if (!isEmpty(value) || (path.length === 1 && path[0] === 'tools' && (body['tool_choice'] ?? null) !== null))
        continue;
      yield hollow(path, `${path.join('.')} is empty`);
    }
  }
  for (const [name, least] of Object.entries(atLeast)) {
    const value = body[name];
    if (typeof value !== 'number' || value >= least || (least === 1 && name !== 'n' && value === noCap)) continue;
    yield hollow([name], `${name} is ${value}, and must be ${least} or more`);
  }
  for (const { path, value } of valuesAt(body, ['messages', '*'])) yield* inMessage(path, value);
}

function* inMessage(path: Path, message: Json): Generator<Fault> {
  if (!isObject(message)) return;
  const here = path.join('.');
  const { role, content = null, tool_call_id: id, tool_calls: calls } = message;
  // What a tool gives back may be an empty text.
  if (content === null || (isEmpty(content) && role !== 'tool')) {
    const isMisspelt = Object.keys(message).some(
      (name) => ![...saying, 'tool_call_id'].includes(name) && nearest(name, saying) !== null,
    );
    if (!isMisspelt && (role !== 'assistant' || !says(message)))
      yield lacking(path, 'content', content === null ? here : null);
  }
  if (role === 'tool' && id === undefined) yield lacking(path, 'tool_call_id', here);
  for (const { path: at, value: call } of valuesAt(calls ?? null, ['*'], [...path, 'tool_calls'])) {
    if (!isObject(call)) continue;
    if (call['id'] === undefined) yield lacking(at, 'id', at.join('.'));
    const called = call['function'];
    if (!isObject(called) || called['arguments'] !== undefined) continue;
    yield lacking([...at, 'function'], 'arguments', [...at, 'function'].join('.'));
  }
}

const saying = ['content', 'tool_calls', 'function_call', 'refusal', 'audio', 'reasoning_content'];

/** A message of the assistant may consist of something else than content. */
function says(message: JsonObject): boolean {
  return saying.some((name) => {
    const value = message[name] ?? null;
    return value !== null && !isEmpty(value);
  });
}

const isEmpty = (value: Json | undefined): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** @param holder the message or call that has no such member; null: the member is there, and empty */
function lacking(path: Path, member: string, holder: string | null): Fault {
  if (holder === null) return hollow([...path, member], `${[...path, member].join('.')} is empty`);
  return { ...hollow(path, `${holder} has no "${member}"`), lacks: [...path, member] };
}

/** Another part may still fill it, so only whole bodies show it. */
function hollow(path: Path, message: string): Fault {
  const hint = `most services refuse that; if it is meant, list the place: deliberate: [/${path.join('/')}]`;
  return { severity: 'warning', path, part: 'value', message, hint, kind: 'missing', lacks: null };
}
