/**
 * A pure function of a text or another plain value that remembers its answers: for what is usually one of a few. It
 * forgets all of them where there would be more than `most`, so that nobody can make them many.
 */
export function remembered<Given extends string | number | boolean | null, Made>(
  most: number,
  make: (given: Given) => Made,
): (given: Given) => Made {
  const known = new Map<Given, Made>();
  return (given) => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const made = make(given);
    if (known.size >= most) known.clear();
    known.set(given, made);
    return made;
  };
}

/** A pure function that remembers its answer for an object, which nobody changes, as long as the object lives. */
export function rememberedByObject<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const known = new WeakMap<object, { readonly made: Made }>();
  return (given) => {
    if (typeof given !== 'object' || given === null) return make(given);
    const before = known.get(given);
    if (before !== undefined) return before.made;
    const made = make(given);
    known.set(given, { made });
    return made;
  };
}

/** The value that a function makes, made when it is first asked for, and only then. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
