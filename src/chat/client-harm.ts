/** What a quirk does to one client library. */
export interface ClientHarm {
  /** `openai 6.49` */
  readonly client: string;
  /** What it does whatever the model: `throws`, `your code throws`, `needs ?.`, `wrong value`, `hangs`. */
  readonly always: readonly string[];
  /** What it does with some of the models that were measured. */
  readonly sometimes: readonly string[];
}

/** What a quirk does to clients. */
export interface ClientEffects {
  /** As {@link harmText} says it. */
  readonly breaks: readonly string[];
  readonly harms: readonly ClientHarm[];
  /** Those that read it as if nothing was odd: `openai 6.49`. */
  readonly reads: readonly string[];
}

/** `openai 6.49: needs ?. or sometimes throws` */
export function harmText({ client, always, sometimes }: ClientHarm): string {
  return `${client}: ${[...always, ...sometimes.map((effect) => `sometimes ${effect}`)].sort().join(' or ')}`;
}
