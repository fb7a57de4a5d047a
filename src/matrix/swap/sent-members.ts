import type { Json, JsonObject } from '../../json/json.js';
import { isObject } from '../../json/json.js';
import { isSameJson } from '../../json/same-json.js';

/** What a recommendation or a condition tells a client to send. */
export interface Sent {
  readonly settings?: Readonly<Record<string, string>>;
  readonly request?: JsonObject;
  /** What the settings of the model stand for, by name and label; null: nothing is sent. */
  readonly patches?: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;
}

/** A change of requests, in words and as a merge patch (RFC 7396) over the body; null: the client must do it itself. */
export interface MemberChange {
  readonly say: string;
  readonly request: JsonObject | null;
  /** It is only no longer needed. */
  readonly spared?: true;
}

/** Settings that no member of a body stands for, or only a part of it that the client writes. */
const words: Readonly<Record<string, { readonly send: string; readonly spare: string }>> = {
  'json_word=required': { send: 'say "json" in the prompt', spare: 'the prompt need not say "json"' },
  'strict=false': { send: 'send strict: false', spare: 'strict: false is not needed' },
};

const capNames = ['max_tokens', 'max_completion_tokens'] as const;

/**
 * How a request changes from what is sent to one model to what another one needs.
 * @param isWhole whether what only the first one needs is worth a sentence
 */
export function memberChanges(before: Sent, after: Sent, isWhole: boolean): MemberChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  const unsent = unsentIn(after);
  const leave = unsent
    .filter((name) => !unsentIn(before).includes(name))
    .map((name) => ({ say: `leave out ${name}`, request: withoutMembers(patchedBy(name, before)) }));
  const left = unsent.flatMap((name) => patchedBy(name, before));
  const changed = names.flatMap((name): MemberChange[] => {
    const [old, now] = [was[name], is[name]];
    if (left.includes(name) && now === undefined) return [];
    if (now === undefined) {
      if (!isWhole || (isCap(name) && capIn(is) !== null)) return [];
      const spare = words[name]?.spare ?? `${memberText(name, old ?? null)} is not needed`;
      return [{ say: spare, request: name in words || isNamed(old) ? null : { [name]: null }, spared: true }];
    }
    const renamed = old === undefined && isCap(name) ? capIn(was) : null;
    if (old !== undefined && isSameJson(old, now)) return [];
    const send = words[name]?.send ?? `send ${memberText(name, now)}`;
    const instead =
      renamed !== null
        ? ` instead of ${memberText(renamed, was[renamed] ?? null)}`
        : old === undefined
          ? ''
          : ` instead of ${valueText(old)}`;
    return [
      {
        say: send + instead,
        request: name in words || isNamed(now) ? null : { ...(renamed !== null && { [renamed]: null }), [name]: now },
      },
    ];
  });
  return [...changed, ...leave];
}

/** Stands for the object form of tool_choice, whose function the client names. */
const named = { type: 'function' };

/** Members by name, and what is said in words by a name of its own. */
function membersOf({ settings = {}, request }: Sent): Readonly<Record<string, Json>> {
  const said = Object.entries(settings).flatMap(([name, label]) =>
    `${name}=${label}` in words ? [[`${name}=${label}`, true] as const] : [],
  );
  const inBody = request ?? settingsAsMembers(settings);
  return {
    ...Object.fromEntries(said),
    ...inBody,
    ...(settings['tool_choice'] === 'object' && { tool_choice: named }),
  };
}

/** Settings that are kept by sending nothing. */
function unsentIn({ settings = {}, patches = {} }: Sent): readonly string[] {
  return Object.entries(settings).flatMap(([name, label]) => (patches[name]?.[label] === null ? [name] : []));
}

/** The members of a body that stand for a setting. */
function patchedBy(name: string, { settings = {}, patches = {} }: Sent): readonly string[] {
  return Object.keys(patches[name]?.[settings[name] ?? ''] ?? {});
}

const withoutMembers = (names: readonly string[]): JsonObject | null =>
  names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, null]));

/** A report of an older version does not say what the settings stand for. */
function settingsAsMembers(settings: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name, label]) => !(`${name}=${label}` in words)));
}

const isCap = (name: string): boolean => (capNames as readonly string[]).includes(name);

const capIn = (members: Readonly<Record<string, Json>>): string | null =>
  capNames.find((name) => members[name] !== undefined) ?? null;

const isNamed = (value: Json | undefined): boolean => isObject(value) && isSameJson(value, named);

function memberText(name: string, value: Json): string {
  return name === 'tool_choice' && isNamed(value) ? 'the object form of tool_choice' : `${name}: ${valueText(value)}`;
}

function valueText(value: Json): string {
  if (isNamed(value)) return 'the object form';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
