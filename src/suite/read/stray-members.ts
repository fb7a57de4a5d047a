import { problemAt } from '../../files/problems/problem-at.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Path, Source } from '../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

const asking = ['request', 'steps', 'enforce'];

/**
 * Lines of a probe that are not indented enough stand beside it, as if they were probes. Returns the data as it was
 * meant, so that one mistake is one problem.
 * @param members what a probe may have
 */
export function withoutStrays(
  source: Source,
  members: ReadonlySet<string>,
): { readonly source: Source; readonly problems: readonly Problem[] } {
  const { data } = source;
  const probes = isObject(data) ? data['probes'] : undefined;
  if (!isObject(data) || !isObject(probes)) return { source, problems: [] };
  const meant = new Map<string, Json>();
  const moved = new Map<string, string>();
  let holder: string | null = null;
  for (const [name, value] of Object.entries(probes)) {
    if (holder !== null && members.has(name) && lacks(meant.get(holder), name, data, moved) && !asks(value)) {
      meant.set(holder, { ...(meant.get(holder) as JsonObject | null), [name]: value });
      moved.set(name, holder);
    } else {
      holder = name;
      meant.set(name, value);
    }
  }
  if (moved.size === 0) return { source, problems: [] };
  const problems = [...moved].map(([name, beside]) => {
    const message = `probes: "${name}" stands beside the probe "${beside}", not in it`;
    const hint = `indent this line and those that belong to it, so that they stand under "${beside}:"`;
    return problemAt(source, ['probes', name], message, hint, { part: 'key' });
  });
  const asWritten = ([first, probe, member, ...rest]: Path): Path =>
    first === 'probes' && member !== undefined && moved.get(String(member)) === probe
      ? ['probes', member, ...rest]
      : [first, probe, member, ...rest].filter((step) => step !== undefined);
  const spotOf: Source['spotOf'] = (path, part) => source.spotOf(asWritten(path), part);
  return { source: { ...source, data: { ...data, probes: Object.fromEntries(meant) }, spotOf }, problems };
}

/** Whether a probe has no such member, and cannot do without those that follow it. */
function lacks(probe: Json | undefined, name: string, suite: JsonObject, moved: ReadonlyMap<string, string>): boolean {
  if (probe === null || probe === undefined) return true;
  if (!isObject(probe) || name in probe) return false;
  return !(asks(probe) || inherits(suite)) || Object.keys(probe).some((member) => moved.has(member));
}

function asks(value: Json): boolean {
  return isObject(value) && asking.some((member) => member in value);
}

function inherits({ defaults }: JsonObject): boolean {
  const request = isObject(defaults) ? defaults['request'] : undefined;
  return isObject(request) && 'messages' in request;
}
