/**
 * Below this length a value is no secret worth the name ("none", "EMPTY" and "ollama" are what local servers are given
 * as a key), and hunting for it in every text would only garble answers.
 */
const shortestSecret = 7;

/** Shorter forms would be found by chance. */
const shortestForm = 7;

/** Every spelling in which a secret may come back: plain, inside JSON, in an address, in base64 at any alignment. */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    const spelled = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      ...base64Cores(secret),
    ];
    for (const form of spelled) if (form.length >= shortestForm) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** The characters of a base64 text that depend on the secret alone, for the three places it can start in a triple. */
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
