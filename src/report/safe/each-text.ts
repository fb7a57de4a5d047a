/** Plain data in which every text is replaced; names of members stay. What holds no other text is not copied. */
export function eachText<T>(value: T, replace: (text: string) => string): T {
  return mapped(value, replace) as T;
}

function mapped(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    let copy: unknown[] | null = null;
    // Pages hold millions of values, and an iterator makes an array for each.
    for (let index = 0; index < items.length; index++) {
      const item = mapped(items[index], replace);
      if (item !== items[index]) (copy ??= [...items])[index] = item;
    }
    return copy ?? value;
  }
  const members = value as Readonly<Record<string, unknown>>;
  let changed: [string, unknown][] | null = null;
  for (const name of Object.keys(members)) {
    const member = mapped(members[name], replace);
    if (member !== members[name]) (changed ??= []).push([name, member]);
  }
  return changed === null ? value : withMembers(members, changed);
}

/** A copy with the members in their order; `__proto__` stays an ordinary member. */
function withMembers(
  members: Readonly<Record<string, unknown>>,
  changed: readonly (readonly [string, unknown])[],
): object {
  return Object.fromEntries([...Object.entries(members), ...changed]);
}
