/**
 * How a key stands in a text, null if it does not: verbatim, escaped as in JSON, URL-encoded, in base64 or in hex, and
 * in what the deltas of a recorded stream hold together. This is on purpose no code of chatspec's own: it decodes and
 * puts together by itself.
 */
export function findsKey(text: string, key: string): string | null {
  const wanted = key.toLowerCase();
  const hexed = Buffer.from(key).toString('hex');
  for (const [how, reading] of readings(text)) {
    const plain = reading.toLowerCase();
    if (plain.includes(wanted)) return how;
    if (plain.includes(hexed)) return `${how}, in hex`;
    for (const [run] of new Set(reading.match(/[A-Za-z0-9+/_-]{8,}/g)).entries()) {
      for (let skip = 0; skip < 4; skip += 1) {
        const decoded = Buffer.from(run.slice(skip), 'base64').toString('latin1');
        if (decoded.toLowerCase().includes(wanted)) return `${how}, in base64`;
      }
    }
  }
  return null;
}

function* readings(text: string): Generator<readonly [string, string]> {
  yield ['as it stands', text];
  yield ['decoded', decoded(text)];
  for (const [field, pieces] of fieldsIn(text)) {
    const joined = pieces.join('');
    yield [`joined: ${field}`, joined];
    yield [`joined and decoded: ${field}`, decoded(joined)];
  }
}

/** All escapes undone, up to four times. */
function decoded(text: string): string {
  let now = text;
  for (let round = 0; round < 4; round += 1) {
    const next = now
      .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
      .replace(/\\+(["/\\])/g, '$1');
    if (next === now) break;
    now = next;
  }
  return now;
}

/** The texts of each field, in order. */
function fieldsIn(body: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  const put = (field: string, piece: string): void => {
    const known = fields.get(field);
    if (known === undefined) fields.set(field, [piece]);
    else known.push(piece);
  };
  for (const document of documentsIn(body)) walk(document, [''], put);
  return fields;
}

function documentsIn(body: string): unknown[] {
  const events = body.split(/(?:\r\n){2}|\n\n|\r\r/).map((event) =>
    event
      .split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
      .join('\n'),
  );
  return [body, ...events].flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return [];
    }
  });
}

/** @param paths the ways in which a reader may name the place: items of lists by index, by id, or not at all */
function walk(value: unknown, paths: readonly string[], put: (field: string, piece: string) => void): void {
  if (typeof value === 'string') for (const path of paths) put(path, value);
  else if (Array.isArray(value)) {
    for (const item of value) {
      const { index, id } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
      const names = ['', ...[index, id].flatMap((label) => (label === undefined ? [] : [`#${JSON.stringify(label)}`]))];
      walk(item, [...new Set(paths.flatMap((path) => names.map((name) => path + name)))], put);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      walk(
        member,
        paths.map((path) => `${path}/${name}`),
        put,
      );
    }
  }
}
