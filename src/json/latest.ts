/**
 * A pure function of a text or another plain value that remembers its latest answer: for what is usually the same as the
 * time before, without a memory that grows.
 */
export function latest<Given extends string | number | boolean | null, Made>(
  make: (given: Given) => Made,
): (given: Given) => Made {
  let before: { readonly given: Given; readonly made: Made } | null = null;
  return (given) => {
    if (before === null || before.given !== given) before = { given, made: make(given) };
    return before.made;
  };
}
