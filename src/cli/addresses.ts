/** What to enter into other tools, which also ask for the API key and a model ID. */
export interface Addresses {
  /** Chat Completions tools. */
  readonly base_url: string;
  /** Those that ask for the complete endpoint address. */
  readonly endpoint: string;
  /** Messages-style tools: without the last segment `/v1`. */
  readonly messages_style: string;
}

/** @param baseUrl ends in `/v1`, without a trailing slash */
export function addressesFor(baseUrl: string): Addresses {
  return {
    base_url: baseUrl,
    endpoint: `${baseUrl}/chat/completions`,
    messages_style: baseUrl.replace(/\/v1$/, ''),
  };
}
