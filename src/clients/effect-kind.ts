/** What became of a call, without the error: `throws TypeError: no` -> `throws`. */
export function effectKind(text: string): string {
  return text.startsWith('throws') ? 'throws' : (text.split(':')[0] ?? text);
}
