import type { Library } from './library.js';

/**
 * Words that stand alone in the name of a library that talks to a model: `haystack-ai`, `@ai-sdk/openai`, `any-llm`.
 */
const words =
  /(?:^|[^a-z])(?:ai|aisuite|agents?|agno|chatgpt|dspy|gen-?ai|gpt|groq|guidance|llms?|mistral(?:ai)?)(?![a-z])/;
/** Names that occur within longer ones: `langchain4j-open-ai`, `go-openai`, `langchaingo`. */
const brands = new RegExp(
  [
    'openai|litellm|lang(?:chain|graph)|llama-?index|instructor|haystack',
    'smolagents|anthropic|autogen|crewai|semantic-?kernel',
  ].join('|'),
);

/** Words of a library that only describes, counts, cuts or observes: `genai-prices`. */
const asides =
  /(?:^|[^a-z])(?:prices?|pricing|costs?|protocols?|(?:semantic-)?conventions|instrumentation|splitters?|tokenizers?|types?|stubs)(?![a-z])/;

const talksToModels = (name: string): boolean => (words.test(name) || brands.test(name)) && !asides.test(name);

/**
 * Of the libraries of a project, those that send requests to models or shape them, by `ECOSYSTEM:NAME`, with the
 * version that is locked, else what the project asks for (`*` for any). What they bring along counts too: it writes the
 * requests.
 */
export function clientLibraries(libraries: readonly Library[]): Readonly<Record<string, string>> {
  const named = libraries
    .filter(({ name }) => talksToModels(name.toLowerCase()))
    .map(({ ecosystem, name, version }) => [`${ecosystem}:${name}`, version || '*'] as const);
  return Object.fromEntries(named.sort());
}
