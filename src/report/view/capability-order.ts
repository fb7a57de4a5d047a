/** How people look for a capability: the plain answer first, then the forms, then what varies them. */
const families = [
  'chat',
  'json_schema',
  'json_object',
  'tools',
  'tool_choice',
  'stream',
  'thinking',
  'reasoning_effort',
  'budget',
  'strict',
  'flow',
  'json_word',
  'schema',
  'tool_schema',
];

/** Orders capability ids by family; within a family, and among families of users' own, they stay as they came. */
export function inFamilyOrder<T>(items: readonly T[], capabilityOf: (item: T) => string): T[] {
  const rank = (item: T): number => {
    const family = families.indexOf(capabilityOf(item).split('.')[0] ?? '');
    return family < 0 ? families.length : family;
  };
  return items.toSorted((a, b) => rank(a) - rank(b));
}
