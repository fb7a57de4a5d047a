import type { Json, JsonObject } from '../../json/json.js';
import { isSameJson } from '../../json/same-json.js';
import type { Violation } from '../outcome.js';
import {
  addAll,
  below,
  checkBelow,
  isAlwaysTrue,
  tried,
  type Found,
  type Keyword,
  type NodeCheck,
  type Program,
} from './node-check.js';
import { sizeLimits } from './numeric-keyword.js';

/** Runs on arrays only. */
function onArrays(check: (items: readonly Json[], at: string, found: Found) => void): NodeCheck {
  return (value, at, found) => {
    if (Array.isArray(value)) check(value as readonly Json[], at, found);
  };
}

const limits = sizeLimits('Items', 'items', (value) => (Array.isArray(value) ? value.length : null));

const uniqueItems: Keyword = ({ uniqueItems: asked }) => {
  if (asked !== true) return null;
  return onArrays((items, at, { violations }) => {
    const repeat = repeated(items);
    if (repeat === null) return;
    const [first, second] = repeat;
    const message = `must NOT have duplicate items (items ## ${first} and ${second} are identical)`;
    violations.push({ at, message });
  });
};

/** The last item that repeats an earlier one, and the one before it. Linear for anything but lists and objects. */
function repeated(items: readonly Json[]): readonly [first: number, second: number] | null {
  const scalars = new Map<Json, number>();
  const others: number[] = [];
  let found: readonly [number, number] | null = null;
  for (const [index, item] of items.entries()) {
    const isScalar = typeof item !== 'object' || item === null;
    const before = isScalar ? scalars.get(item) : others.findLast((other) => isSameJson(items[other] ?? null, item));
    if (before !== undefined) found = [before, index];
    if (isScalar) scalars.set(item, index);
    else others.push(index);
  }
  return found;
}

/** Items by place: `prefixItems`, or a list under `items` in older dialects. */
const tuple: Keyword = (schema, program) => {
  const places = tupleOf(schema, program);
  if (places === null) return null;
  const checks = places.map((place) => program.check(place));
  return onArrays((items, at, found) => {
    for (const [index, check] of checks.entries()) {
      if (index >= items.length) break;
      checkItem(check, items, index, at, found);
    }
  });
};

function tupleOf(schema: JsonObject, { dialect }: Program): readonly Json[] | null {
  const places = dialect === '2020' ? schema['prefixItems'] : schema['items'];
  return Array.isArray(places) ? (places as readonly Json[]) : null;
}

function checkItem(check: NodeCheck, items: readonly Json[], index: number, at: string, found: Found): void {
  found.seen?.items.add(index);
  checkBelow(check, items[index] ?? null, at, index, found);
}

/** Items after those by place. */
const rest: Keyword = (schema, program) => {
  const places = tupleOf(schema, program);
  const of = program.dialect === '2020' || places === null ? schema['items'] : schema['additionalItems'];
  if (of === undefined || Array.isArray(of)) return null;
  const from = places?.length ?? 0;
  if (of === false && places !== null) {
    return onArrays((items, at, { violations, seen }) => {
      for (const index of items.keys()) seen?.items.add(index);
      if (items.length > from) violations.push({ at, message: `must NOT have more than ${from} items` });
    });
  }
  const check = program.check(of);
  return onArrays((items, at, found) => {
    for (let index = from; index < items.length; index += 1) checkItem(check, items, index, at, found);
  });
};

const contains: Keyword = (schema, program) => {
  const { contains: of } = schema;
  if (of === undefined) return null;
  const counts = program.dialect !== '07';
  const least = counts && typeof schema['minContains'] === 'number' ? schema['minContains'] : 1;
  const most = counts && typeof schema['maxContains'] === 'number' ? schema['maxContains'] : null;
  const check = program.check(of);
  const limit = most === null ? '' : ` and no more than ${most}`;
  const message = `must contain at least ${least}${limit} valid item(s)`;
  return onArrays((items, at, found) => {
    const { violations, seen } = found;
    const broken: Violation[] = [];
    let count = 0;
    for (const [index, item] of items.entries()) {
      const result = tried(check, item, below(at, index), found);
      addAll(broken, result.violations);
      if (!result.conforms) continue;
      count += 1;
      if (program.dialect === '2020') seen?.items.add(index);
    }
    if (count >= least && (most === null || count <= most)) return;
    // No item is at fault where the limits contradict each other.
    if (most === null || least <= most) addAll(violations, broken);
    violations.push({ at, message });
  });
};

export const arrayKeywords: readonly Keyword[] = [...limits, tuple, rest, contains, uniqueItems];

/** Comes after every other keyword. */
export const unevaluatedItems: Keyword = (schema, program) => {
  const { unevaluatedItems: of } = schema;
  if (of === undefined || program.dialect === '07') return null;
  const check = program.check(of);
  return onArrays((items, at, found) => {
    const { violations, seen } = found;
    const left = [...items.keys()].filter((index) => seen?.items.has(index) !== true);
    if (of === false && left.length > 0) {
      violations.push({ at, message: `must NOT have more than ${items.length - left.length} items` });
    } else if (!isAlwaysTrue(of)) {
      for (const index of left) checkItem(check, items, index, at, found);
    }
    for (const index of left) seen?.items.add(index);
  });
};
