/**
 * A shorter value is not a secret ("none", "EMPTY" and "ollama" are usual keys of local servers), and masking it
 * everywhere would only garble answers.
 */
const shortestSecret = 7;

/** Shorter forms would be found by chance. */
const shortestForm = 7;

/**
 * Every spelling in which a service may return a secret: plain, in lower case (as the name of a header or host), in JSON,
 * in an address, in HTML, in base64 at any alignment. Longest first.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    const spelled = [
      ...[secret, secret.toLowerCase()],
      ...[JSON.stringify(secret).slice(1, -1), secret.replaceAll('/', '\\/')],
      ...escapes(secret),
      ...base64Cores(secret),
    ];
    for (const form of spelled) if (form.length >= shortestForm) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Characters of keys that some libraries escape and others do not. */
const doubtful = ['+', '/', '='];
const kept = doubtful.reduce<readonly string[][]>(
  (sets, character) => [...sets, ...sets.map((set) => [...set, character])],
  [[]],
);

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const code = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

/** Ways to write a character that is neither letter nor digit. */
const spellings: readonly ((character: string) => string)[] = [
  encodeURIComponent,
  (character) => (/[!-~]/.test(character) ? `%${code(character)}` : encodeURIComponent(character)),
  (character) => (/[&<>"'+/=]/.test(character) ? `\\u00${code(character)}` : character),
  (character) => named[character] ?? (/['`+/=]/.test(character) ? `&#x${code(character)};` : character),
  (character) => named[character] ?? (/['`+/=]/.test(character) ? `&#${character.charCodeAt(0)};` : character),
];

/** The secret as libraries escape it: they differ in spelling, in case, and in the characters they leave alone. */
function escapes(secret: string): string[] {
  return spellings.flatMap((spell) =>
    kept.flatMap((plain) => {
      const text = secret.replace(/[^A-Za-z0-9]/gu, (character) =>
        plain.includes(character) ? character : spell(character),
      );
      return [text, text.replace(/%[0-9A-F]{2}|\\u00[0-9A-F]{2}|&#x[0-9A-F]{2};/g, (escape) => escape.toLowerCase())];
    }),
  );
}

/** The characters of a base64 text that depend on the secret alone, for its three possible offsets in a triple. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const trailing = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    const core = text.slice(offset === 0 ? 0 : offset + 1, text.length - trailing);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
