/** The error that ended a program, in its own words; null where its output names none. */
export function saidError(output: string): string | null {
  const lines = output.split(/\r?\n/);
  const text = pythonError(lines) ?? goError(lines) ?? stackError(lines) ?? namedError(lines);
  return text === null ? null : text.replaceAll(/\s+/g, ' ').trim();
}

/** The last line that says something; what a shell or a runtime adds behind it says nothing. */
export function lastWords(output: string): string {
  const isNoise = (line: string): boolean => /^\s*(?:exit status \d+|Node\.js v[\d.]+)?\s*$/.test(line);
  return (output.split(/\r?\n/).findLast((line) => !isNoise(line)) ?? '').replace(goTime, '').trim();
}

const goTime = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)? /;
/** Lines of a message, beyond which nobody reads. */
const longestMessage = 12;

const pythonTrace = /^Traceback \(most recent call last\):/;
const pythonGroup = /^\s*\+ Exception Group Traceback \(most recent call last\):/;
/** Python tells these after the end, or of tasks that nobody waits for. */
const pythonAside = /^(?:Exception ignored |Task exception was never retrieved|future: |Error in sys\.excepthook)/;

/** Python prints causes first, so the last trace names the error that ended the program. */
function pythonError(lines: readonly string[]): string | null {
  const traces = lines.flatMap((line, at) => (pythonTrace.test(line) || pythonGroup.test(line) ? [at] : []));
  const start = traces.findLast((at) => !pythonAside.test(lines[at - 1] ?? ''));
  if (start === undefined) return null;
  const line = lines[start] ?? '';
  return pythonGroup.test(line) ? firstOfGroup(lines.slice(start)) : afterFrames(lines.slice(start + 1));
}

/** The exception behind the frames, with its message. */
function afterFrames(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => /^\S/.test(line));
  return at < 0 ? null : messageFrom(lines.slice(at), pythonEnds);
}

const pythonEnds = (line: string): boolean =>
  pythonTrace.test(line) || pythonAside.test(line) || /^(?:During handling of|The above exception)/.test(line);

/** The members of a group stand behind a margin, one box each. */
function firstOfGroup(lines: readonly string[]): string | null {
  const open = lines.findIndex((line) => /^\s*\+-\+-+ 1 -+/.test(line));
  if (open < 0) return null;
  const margin = (lines[open] ?? '').indexOf('+', (lines[open] ?? '').indexOf('+') + 1);
  const rest = lines.slice(open + 1);
  const close = rest.findIndex((line) => line[margin] === '+' && /^\+-{3,}/.test(line.slice(margin)));
  const inside = rest.slice(0, close < 0 ? undefined : close);
  const box = inside.map((line) => (line[margin] === '|' ? line.slice(margin + 2) : line.slice(margin)));
  return pythonError(box) ?? afterFrames(box);
}

/** The panic of a Go program; the lines behind it are addresses. */
function goError(lines: readonly string[]): string | null {
  const at = lines.findLastIndex((line) => /^(?:\t?panic: |fatal error: )/.test(line));
  if (at < 0) return null;
  return messageFrom(lines.slice(at), (line) => line === '' || /^(?:\[signal |\t?panic: |goroutine )/.test(line));
}

const frame = /^(?:\t|\s{2,})(?:at \S|\.\.\. \d+ )/;
const className = String.raw`(?:[\p{L}_$][\w$]*\.)*[\p{L}_$][\w$]*`;
const header = new RegExp(
  String.raw`^(?:Exception in thread "[^"]*" |Caused by: |Uncaught |\[ERROR\] )?${className}(?: \[\w+\])?(?:: |:?$)`,
  'u',
);

/** The error above the frames of a stack, as Java, Kotlin and JavaScript print it; of Java the last cause. */
function stackError(lines: readonly string[]): string | null {
  const heads = lines.flatMap((line, at) => {
    if (!frame.test(line) || frame.test(lines[at - 1] ?? '')) return [];
    const head = headAbove(lines, at);
    return head === null ? [] : [head];
  });
  const at = heads.at(-1);
  if (at === undefined) return null;
  const text = messageFrom(lines.slice(at), (line) => frame.test(line));
  return text.replace(/^(?:Exception in thread "[^"]*" |Caused by: |Uncaught |\[ERROR\] )/, '').replace(/\{$/, '');
}

/** A message may have several lines, of which the first names the error. */
function headAbove(lines: readonly string[], at: number): number | null {
  for (let line = at - 1; line >= Math.max(0, at - longestMessage); line -= 1) {
    const text = lines[line] ?? '';
    if (frame.test(text)) return null;
    if (header.test(text) && /Error|Exception|Throwable|: /.test(text)) return line;
  }
  return null;
}

/** A line that names an error by the habit of its name. */
function namedError(lines: readonly string[]): string | null {
  return lines.findLast((line) => /^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b[^{]*/.test(line)) ?? null;
}

/** From its first line to the one that is no part of it. */
function messageFrom(lines: readonly string[], ends: (line: string) => boolean): string {
  const end = lines.findIndex((line, at) => at > 0 && ends(line));
  return lines.slice(0, end < 0 ? longestMessage : Math.min(end, longestMessage)).join('\n');
}
