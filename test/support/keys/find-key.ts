/**
 * What somebody who looks for a key in a file could read there. This is on purpose no code of chatspec's own: it decodes
 * and puts together by itself.
 */
export function findsKey(text: string, key: string): string | null {
  const wanted = squeezed(key);
  const backwards = Array.from(wanted).reverse().join('');
  const middle = Math.ceil(wanted.length / 2);
  const halves = [wanted.slice(0, middle), wanted.slice(middle)];
  const hexed = Buffer.from(key).toString('hex');
  const unhexed = Array.from(hexed).reverse().join('');
  const seen = new Set<string>();
  for (const [how, reading] of readings(text)) {
    const plain = squeezed(reading);
    if (wanted.length >= 16 && halves.some((half) => plain.includes(half))) return `${how}, a half`;
    if (plain.includes(wanted)) return how;
    if (plain.includes(backwards)) return `${how}, backwards`;
    const digits = plain.replaceAll(':', '');
    if (digits.includes(hexed) || digits.includes(unhexed)) return `${how}, in hex`;
    for (const found of base64In(reading, seen)) {
      if (squeezed(found).includes(wanted)) return `${how}, in base64`;
    }
  }
  return null;
}

/** Without what the eye skips, and without the difference of cases, widths and fonts. */
function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u0300-\u036f\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}

function* base64In(text: string, seen: Set<string>): Generator<string> {
  const joined = text.replace(/(?<=[A-Za-z0-9+/_-])\n(?=[A-Za-z0-9+/_-])/g, '');
  for (const [run] of joined.matchAll(/[A-Za-z0-9+/_-]{8,}/g)) {
    if (seen.has(run)) continue;
    seen.add(run);
    for (const spelled of [run, Array.from(run).reverse().join('')]) {
      for (let skip = 0; skip < 4; skip += 1) yield Buffer.from(spelled.slice(skip), 'base64').toString('latin1');
    }
  }
}

function* readings(text: string): Generator<readonly [string, string]> {
  yield ['as it stands', text];
  yield ['decoded', decoded(text)];
  for (const body of bodiesIn(text)) {
    yield ['a body', body];
    yield ['a body, decoded', decoded(body)];
    for (const [thread, pieces] of threadsIn(body)) {
      const joined = pieces.join('');
      yield [`put together: ${thread}`, joined];
      yield [`put together and decoded: ${thread}`, decoded(joined)];
    }
  }
}

const namedSigns: Readonly<Record<string, string>> = {
  ...{
    lowbar: '_',
    period: '.',
    sol: '/',
    plus: '+',
    equals: '=',
    colon: ':',
    ast: '*',
    nbsp: ' ',
    lpar: '(',
    rpar: ')',
  },
  ...{ lsqb: '[', rsqb: ']', lcub: '{', rcub: '}', Hat: '^', dollar: '$', vert: '|', quest: '?', bsol: '\\' },
  ZeroWidthSpace: '',
};

/** All escapes undone, up to four times. */
function decoded(text: string): string {
  let now = text;
  for (let round = 0; round < 4; round += 1) {
    const next = now
      .replace(/\\+U0000([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/\\+([01][0-7]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)))
      .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/\\+x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/&#x0*([0-9a-f]{1,4});?/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/&#0*(\d{1,5});?/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
      .replace(/&(\w{2,14});/g, (all, name: string) => namedSigns[name] ?? all)
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replace(/\\+(["/\\])/g, '$1');
    if (next === now) break;
    now = next;
  }
  return now;
}

/** The bodies of answers in a journal, and the text itself. */
function* bodiesIn(text: string): Generator<string> {
  yield text;
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"type":"exchange"')) continue;
    try {
      const record = JSON.parse(line) as { exchange: { answer: { body: string[]; headers: Record<string, string> } } };
      const { body, headers } = record.exchange.answer;
      yield body.join('');
      yield Object.values(headers).join('');
    } catch {
      // A line that was cut is still searched as text.
    }
  }
}

/** Every text that can be put together from pieces with something in common. */
function threadsIn(body: string): Map<string, string[]> {
  const threads = new Map<string, string[]>();
  const put = (thread: string, piece: string): void => {
    const known = threads.get(thread);
    if (known === undefined) threads.set(thread, [piece]);
    else known.push(piece);
  };
  for (const document of documentsIn(body)) walk(document, [[]], '', put);
  for (const line of body.split(/\r\n|\n|\r/)) {
    const [, field = 'text', value = ''] = /^(\w*):(.*)$/.exec(line) ?? [];
    put(`lines: ${field}`, value.trim());
  }
  return threads;
}

function documentsIn(body: string): unknown[] {
  const documents: unknown[] = [];
  const read = (text: string): boolean => {
    try {
      documents.push(JSON.parse(text));
      return true;
    } catch {
      return false;
    }
  };
  if (read(body)) return documents;
  for (const event of body.split(/(?:\r\n){2}|\n\n|\r\r/)) {
    const lines = event.split(/\r\n|\n|\r/);
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
    if (data.length > 0) read(data.join('\n'));
    for (const line of lines) if (line.startsWith('{')) read(line);
  }
  return documents;
}

type Put = (thread: string, piece: string) => void;

const sameMeaning: Readonly<Record<string, string>> = {
  message: 'delta',
  text: 'content',
  reasoning: 'reasoning_content',
  thinking: 'reasoning_content',
};

/** @param paths the ways in which a reader may name the place: by position, by index, by id, by type, or not at all */
function walk(value: unknown, paths: readonly (readonly string[])[], last: string, put: Put): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const letter = typeof value === 'number' && value > 31 && value < 127 ? String.fromCharCode(value) : null;
    for (const path of paths) {
      put(path.join('/'), String(value));
      if (letter !== null) put(`bytes: ${path.join('/')}`, letter);
    }
    put(`last: ${last}`, String(value));
  } else if (Array.isArray(value)) {
    for (const [position, item] of value.entries()) {
      const known = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
      const names = [`${position}`, ''];
      for (const label of ['index', 'id', 'type']) if (label in known) names.push(`${label} ${String(known[label])}`);
      walk(
        item,
        paths.flatMap((path) => names.map((name) => (name === '' ? path : [...path, name]))),
        last,
        put,
      );
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      put('names', name);
      walk(
        member,
        paths.map((path) => [...path, sameMeaning[name] ?? name]),
        sameMeaning[name] ?? name,
        put,
      );
    }
  }
}
