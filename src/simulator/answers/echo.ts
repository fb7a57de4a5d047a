import type { Message } from '../http/request.js';

const asksToRepeat =
  /\b(?:repeat|copy|echo|reproduce|return|output|write|give|answer|reply)\b[^]{0,200}?\b(?:character (?:for|by) character|verbatim|word for word|unchanged|exactly as|without (?:any )?changes?)|\b(?:repeat|echo|reproduce)\b[^]{0,60}?\b(?:exactly|text|document|json|following)\b/i;

/** Where the text to repeat may stand, the clearest marks first. */
const marks: readonly RegExp[] = [
  /<(document|text|json|echo)>\r?\n?([^]*?)\r?\n?<\/\1>/i,
  /()```[a-z]*\r?\n([^]*?)\r?\n?```/i,
  /()<<<+\r?\n?([^]*?)\r?\n?>>>+/,
  /()"""\r?\n?([^]*?)\r?\n?"""/,
  /()-{3,} ?BEGIN[^\n]*\r?\n([^]*?)\r?\n-{3,} ?END/i,
  /()(?:^|\n)(?:-{3,}|={3,})\r?\n([^]*?)\r?\n(?:-{3,}|={3,})/,
  /():\s*\r?\n\s*([^]+?)\s*$/,
  /():\s+((?:[{["]|-?\d|true|false|null)[^]*?)\s*$/,
];

/** The text that the conversation asks to repeat, character for character; null when it asks for something else. */
export function textToRepeat(messages: readonly Message[]): string | null {
  for (const { role, text } of messages.toReversed()) {
    if (role !== 'user' || !asksToRepeat.test(text)) continue;
    for (const mark of marks) {
      const marked = mark.exec(text)?.[2];
      if (marked !== undefined && marked !== '') return marked;
    }
  }
  return null;
}
