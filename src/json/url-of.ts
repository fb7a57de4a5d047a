/** null: it is no address. `URL.canParse` of Node 20 says so of hosts in Latin letters, too, once it was called often. */
export function urlOf(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
