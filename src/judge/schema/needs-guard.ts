import { isObject, type Json } from '../../json/json.js';
import { isLinearPattern } from './linear-pattern.js';

/**
 * Formats that ajv-formats checks in linear time. Those that are missing (`url`, `regex`, `uri-template` and their like)
 * are not all slow, but they have not been checked.
 */
export const linearFormats: ReadonlySet<string> = new Set([
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uuid', 'byte', 'password', 'binary'],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'json-pointer', 'relative-json-pointer'],
  ...['int32', 'int64', 'float', 'double'],
]);

/** Most nodes of a schema with its references expanded: what a validation may cost for each part of the value. */
const mostNodes = 20_000;

/**
 * Whether validating against a schema may take more than linear time, so that it needs a time limit: a pattern or format
 * that may backtrack, `uniqueItems` (which compares every two items), and references that recur or multiply. Data inside
 * a schema is read as if it were a schema, too, which errs on the safe side.
 */
export function needsGuard(schema: Json): boolean {
  const sizes = new Map<string, number>();
  const open = new Set<string>();
  return !(sizeOf(schema) <= mostNodes);

  /** The number of nodes below, with references expanded; NaN where there is no bound. */
  function sizeOf(node: Json): number {
    if (Array.isArray(node)) return sum(node as readonly Json[]);
    if (!isObject(node)) return 1;
    const { pattern, patternProperties, format, uniqueItems, $id, $ref, $dynamicRef, $recursiveRef } = node;
    if (typeof pattern === 'string' && !isLinearPattern(pattern)) return Number.NaN;
    if (isObject(patternProperties) && !Object.keys(patternProperties).every(isLinearPattern)) return Number.NaN;
    if (typeof format === 'string' && !linearFormats.has(format)) return Number.NaN;
    if (uniqueItems === true) return Number.NaN;
    // Within a schema that has its own id, references resolve differently.
    if (typeof $id === 'string' && node !== schema) return Number.NaN;
    if (typeof $dynamicRef === 'string' || typeof $recursiveRef === 'string') return Number.NaN;
    return 1 + sum(Object.values(node)) + (typeof $ref === 'string' ? sizeOfReference($ref) : 0);
  }

  function sum(nodes: readonly Json[]): number {
    return nodes.reduce((size: number, node) => size + sizeOf(node), 0);
  }

  /** The size of a definition of the same schema; any other target has no known cost. */
  function sizeOfReference(reference: string): number {
    const known = sizes.get(reference);
    if (known !== undefined) return known;
    const [, holder, name] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(reference) ?? [];
    const definitions = isObject(schema) && holder !== undefined ? schema[holder] : undefined;
    if (!isObject(definitions) || name === undefined || !Object.hasOwn(definitions, name)) return Number.NaN;
    if (open.has(reference)) return Number.NaN;
    open.add(reference);
    const size = sizeOf(definitions[name] ?? null);
    open.delete(reference);
    sizes.set(reference, size);
    return size;
  }
}
