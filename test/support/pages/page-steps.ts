/** What a page of the documents does, in its order. */
export type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | {
      readonly kind: 'console';
      readonly at: number;
      readonly view: View;
      readonly command: string;
      readonly shown: string;
    };

/** Which part of the output a page shows. `exit` is the code that the command ends with. */
export interface View {
  readonly from: string | null;
  readonly lines: number | null;
  readonly tail: number | null;
  readonly exit: number;
}

const blocks = /^```(\w*)([^\n]*)\n(.*?)^```$|^<!-- service: (.+?) -->$/gms;

/**
 * A block whose first line is a comment with a file name is that file. A `console` block is one command and its output;
 * `from="text"`, `lines=N`, `tail=N` and `exit=N` behind the language choose what of the output is shown. A comment
 * `<!-- service: DAY -->` changes the service of the story.
 */
export function pageSteps(text: string): readonly PageStep[] {
  return [...text.matchAll(blocks)].flatMap((match): readonly PageStep[] => {
    const [, language = '', info = '', body = '', day] = match;
    if (day !== undefined) return [{ kind: 'day', day }];
    if (language === 'console') {
      const [first = '', ...rest] = body.split('\n');
      if (!first.startsWith('$ ')) throw new Error(`a console block begins with "$ ": ${first}`);
      const at = match.index + `\`\`\`${language}${info}\n`.length;
      return [{ kind: 'console', at, view: viewOf(info), command: first.slice(2), shown: rest.join('\n') }];
    }
    const name = /^(?:#|\/\/) ((?:[\w-]+\/)*[\w.-]+\.\w+)\n/.exec(body)?.[1];
    return name === undefined ? [] : [{ kind: 'file', path: name, text: body }];
  });
}

function viewOf(info: string): View {
  const number = (name: string): number | null => {
    const found = new RegExp(`\\b${name}=(\\d+)`).exec(info)?.[1];
    return found === undefined ? null : Number(found);
  };
  const from = /\bfrom="([^"]+)"/.exec(info)?.[1] ?? null;
  return { from, lines: number('lines'), tail: number('tail'), exit: number('exit') ?? 0 };
}

/** The part of an output that a view shows; throws where there is no such part. */
export function shownPart(output: string, { from, lines, tail }: View): string {
  const all = output.trimEnd().split('\n');
  const start = from === null ? 0 : all.findIndex((line) => line.includes(from));
  if (start < 0) throw new Error(`no line has "${from ?? ''}":\n${output}`);
  const rest = all.slice(start);
  const part = tail === null ? rest.slice(0, lines ?? undefined) : rest.slice(-tail).slice(0, lines ?? undefined);
  return part.length === 1 && part[0] === '' ? '' : `${part.join('\n')}\n`;
}
