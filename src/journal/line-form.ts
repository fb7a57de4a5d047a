import { isObject, type Json } from '../json/json.js';

/** Returns the path of the first member that has another form; null when all is well. Members may be added. */
type Form = (value: Json | undefined) => string | null;

function fits(isOne: (value: Json | undefined) => boolean): Form {
  return (value) => (isOne(value) ? null : '');
}

const text = fits((value) => typeof value === 'string');
/** 1e400 is JSON, but too large for a number: nothing can be counted with it. */
const number = fits(Number.isFinite);
const present = fits((value) => value !== undefined);

const orNull =
  (form: Form): Form =>
  (value) =>
    value === null ? null : form(value);
const optional =
  (form: Form): Form =>
  (value) =>
    value === undefined ? null : form(value);
const [textOrNull, numberOrNull] = [orNull(text), orNull(number)];

function firstMisfit(members: Iterable<readonly [string | number, Json | undefined, Form]>): string | null {
  for (const [name, value, form] of members) {
    const inner = form(value);
    if (inner !== null) return inner === '' ? String(name) : `${name}.${inner}`;
  }
  return null;
}

function object(members: Readonly<Record<string, Form>>): Form {
  const forms = Object.entries(members);
  return (value) => (isObject(value) ? firstMisfit(forms.map(([name, form]) => [name, value[name], form])) : '');
}

function listOf(form: Form): Form {
  return (value) => (Array.isArray(value) ? firstMisfit(value.map((item: Json, at) => [at, item, form])) : '');
}

function mapOf(form: Form): Form {
  return (value) =>
    isObject(value) ? firstMisfit(Object.entries(value).map(([name, item]) => [name, item, form])) : '';
}

const texts = listOf(text);
const tally = { passed: number, total: number };

const memory = object({
  cells: mapOf(object({ since: text, known: object(tally), doubt: listOf(object(tally)) })),
  models: mapOf(object({ served: texts, fingerprints: texts })),
  shared: mapOf(
    listOf(object({ class: text, reason: textOrNull, doubt: listOf(object(tally)), cells: mapOf(number) })),
  ),
});

const forms: Readonly<Record<string, Form>> = {
  run_started: object({
    ...{ run: text, at: text, plan: text, profile: text, seed: number },
    digests: mapOf(text),
    tool: object({ name: text, version: text }),
    plannedCells: optional(number),
    shard: orNull(object({ index: number, of: number })),
    merged: optional(
      object({
        of: number,
        shards: listOf(number),
        missing: optional(listOf(object({ shard: number, models: texts }))),
      }),
    ),
    options: optional(mapOf((value) => (typeof value === 'string' ? null : texts(value)))),
    lastFailed: optional(
      object({
        ...{ run: text, folder: optional(text), cells: texts, inDoubt: texts, of: number, leftOut: texts },
        shared: optional(texts),
      }),
    ),
    before: optional(memory),
  }),
  sent: object({ at: text, model: text, request: text, tokens: number, cost: number }),
  exchange: object({
    ...{ id: text, model: text, cell: textOrNull, purpose: text, step: text, attempt: number },
    ask: orNull(object({ kind: text, patch: object({}), sample: number })),
    served: optional(textOrNull),
    fingerprint: optional(textOrNull),
    exchange: object({
      request: object({ url: text, headers: mapOf(text), body: present }),
      answer: object({
        status: numberOrNull,
        headers: mapOf(text),
        body: texts,
        failure: orNull(object({ kind: text, message: text })),
      }),
      timing: object({ started_at: text, headers_ms: numberOrNull, total_ms: number }),
    }),
  }),
  run_finished: object({
    ...{ at: text, requests: number },
    stopped: optional(listOf(object({ kind: text, target: textOrNull, model: textOrNull, models: optional(texts) }))),
  }),
};

/**
 * The path of the first member of a journal line that does not have the form which chatspec writes: another program wrote
 * it. null when the line is well, or of a type that this version does not know.
 */
export function misfitOf(line: Json): string | null {
  const type = isObject(line) ? line['type'] : undefined;
  if (typeof type !== 'string') return 'type';
  return Object.hasOwn(forms, type) ? (forms[type]?.(line) ?? null) : null;
}
