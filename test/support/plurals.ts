const nouns =
  'answers|behaviours|capabilities|causes|cells|deviations|entries|errors|exchanges|faults|files|folders|forms|keys|lines|models|nights|points|probes|problems|requests|results|rows|runs|seconds|settings|shards|suites|targets|times|tokens|trials|warnings';

/** "1 cells", "1 cells were", "1 of them", "all of them" */
const wrong = new RegExp(
  [
    `(?<![\\d.,/]|of )\\b1 (?:(?:new|judged|planned|more|covered|earlier|whole|other) )*(?:${nouns})\\b`,
    `\\bof (?:the )?1 (?:judged |planned |earlier )?(?:${nouns})\\b`,
    String.raw`\b1 of \d+ [a-z ]*\bwere\b|\b1 (?:cell|probe|run|model|target|trial|request) (?:do|are|were|have)\b`,
    String.raw`all of them|the least known|\b(?:all|last) 1\b`,
  ].join('|'),
  'gi',
);

/** Where a text speaks of one as of several, with what stands around it. Markup is no part of the sentences. */
export function wrongPlurals(text: string): readonly string[] {
  const read = text.replace(/<(script|style)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, '\n');
  return [...read.matchAll(wrong)].map(({ index }) => read.slice(Math.max(0, index - 60), index + 60));
}
