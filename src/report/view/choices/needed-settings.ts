import { isObject, type JsonObject } from '../../../json/json.js';
import { mergePatch } from '../../../json/merge-patch.js';
import type { ReportCapability, ReportCell } from '../../../matrix/report-format.js';

/** The settings without those that can be left out: requests without them pass. */
export function neededOf(
  all: NonNullable<ReportCapability['settings']>,
  judged: readonly ReportCell[],
): Record<string, string> {
  const isNeeded = (name: string): boolean => {
    const without = judged.filter(({ point }) => point[name] === undefined);
    return without.length === 0 || without.some(({ verdict }) => verdict !== 'pass');
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isNeeded(name)));
}

/** Where no request was asked without one, a client sends one that passed, too. */
export function toolChoiceOf(judged: readonly ReportCell[]): Record<string, string> {
  const passing = judged.filter(({ verdict }) => verdict === 'pass').flatMap(({ point }) => point['tool_choice'] ?? []);
  const label = passing.find((one) => one === 'required') ?? passing[0];
  const isAlwaysSent = judged.every(({ point }) => point['tool_choice'] !== undefined);
  return isAlwaysSent && label !== undefined ? { tool_choice: label } : {};
}

/** Asked with another value of a setting that the row leaves out. */
export function isOfOther(
  all: NonNullable<ReportCapability['settings']>,
  needed: Readonly<Record<string, string>>,
  { point }: ReportCell,
): boolean {
  return Object.keys(all).some((name) => !(name in needed) && point[name] !== undefined);
}

/** Members of a setting that the row leaves out are not sent, and it is never the form's own. */
export function patchOf(
  { settings: all = {}, request = {} }: ReportCapability,
  settings: Readonly<Record<string, string>>,
  sent: JsonObject,
): JsonObject {
  const left = new Set(Object.keys(all).filter((name) => !(name in settings)));
  const kept = Object.fromEntries(Object.entries(request).filter(([name]) => !left.has(name)));
  const patch = mergePatch(kept, sent);
  return isObject(patch) ? patch : {};
}
