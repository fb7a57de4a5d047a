/** The harm that a quirk does to one client library. */
export interface ClientHarm {
  /** `openai 6.49` */
  readonly client: string;
  /** Effects whatever the model: `throws`, `your code throws`, `needs ?.`, `wrong value`, `hangs`. */
  readonly always: readonly string[];
  /** Effects with some of the models that were measured. */
  readonly sometimes: readonly string[];
}

/** The effects of a quirk on clients. */
export interface ClientEffects {
  /** Texts of {@link harmText}. */
  readonly breaks: readonly string[];
  readonly harms: readonly ClientHarm[];
  /** Clients that read it as if nothing was odd: `openai 6.49`. */
  readonly reads: readonly string[];
}

/** `openai 6.49: needs ?. or sometimes throws` */
export function harmText({ client, always, sometimes }: ClientHarm): string {
  return `${client}: ${[...always, ...sometimes.map((effect) => `sometimes ${effect}`)].sort().join(' or ')}`;
}
