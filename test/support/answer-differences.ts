import { isObject, type Json } from '../../src/json/json.js';
import { isSameJson } from '../../src/json/merge-patch.js';
import { bodyBytes, type HttpResponse } from '../../src/simulator/http/response.js';

/**
 * The fields in which an answer differs from the right one, each once: `body/choices/message/role`,
 * `chunk/choices/delta/content`, `header/content-type`, `status`, `ending`, `delay`, `line` for what is no chunk, and
 * `order` for a chunk that stands elsewhere or twice. Places in lists do not count.
 */
export function differingFields(right: HttpResponse, odd: HttpResponse): readonly string[] {
  const [wanted, found] = [right, odd].map(piecesOf);
  const names = [...new Set([...Object.keys(right.headers), ...Object.keys(odd.headers)])];
  return [
    ...new Set([
      ...(right.status === odd.status ? [] : ['status']),
      ...(right.ending === odd.ending ? [] : ['ending']),
      ...(right.delay.before === odd.delay.before && right.delay.between === odd.delay.between ? [] : ['delay']),
      ...names.filter((name) => right.headers[name] !== odd.headers[name]).map((name) => `header/${name}`),
      ...pieceDifferences(wanted ?? [], found ?? []),
    ]),
  ].sort();
}

type Piece =
  { readonly kind: 'body' | 'chunk'; readonly value: Json } | { readonly kind: 'line'; readonly value: string };

/** A body, or the events of a stream. */
function piecesOf({ parts }: HttpResponse): readonly Piece[] {
  const text = bodyBytes(parts).toString();
  const body = jsonIn(text);
  if (body !== undefined) return [{ kind: 'body', value: body }];
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const chunk = line.startsWith('data: ') ? jsonIn(line.slice(6)) : undefined;
    return chunk === undefined ? { kind: 'line', value: line } : { kind: 'chunk', value: chunk };
  });
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What both have stays; between, the pieces are compared one by one, and what is left over with the one beside it. */
function pieceDifferences(right: readonly Piece[], odd: readonly Piece[]): readonly string[] {
  const found: string[] = [];
  const [wanted, had] = withoutCommon(right, odd);
  for (let at = 0; at < Math.max(wanted.length, had.length); at += 1) {
    const [one, other] = [wanted[at], had[at]];
    if (one !== undefined && other !== undefined) {
      found.push(...fieldsApart(one, other));
    } else {
      const left = (one ?? other)!;
      const all = one === undefined ? odd : right;
      const place = all.indexOf(left);
      found.push(...fieldsApart(left, all[place - 1] ?? all[place + 1]!));
    }
  }
  return found;
}

/** Of two lists what the other lacks, by the longest list that both hold. */
function withoutCommon(right: readonly Piece[], odd: readonly Piece[]): readonly [readonly Piece[], readonly Piece[]] {
  const longest = right.map(() => odd.map(() => 0));
  const lengthAt = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  const isSame = (i: number, j: number): boolean => isSameJson(right[i]!.value, odd[j]!.value);
  for (let i = right.length - 1; i >= 0; i -= 1) {
    for (let j = odd.length - 1; j >= 0; j -= 1) {
      longest[i]![j] = isSame(i, j) ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const [wanted, had]: [Piece[], Piece[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < right.length || j < odd.length) {
    if (i < right.length && j < odd.length && isSame(i, j)) {
      [i, j] = [i + 1, j + 1];
    } else if (j >= odd.length || (i < right.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      wanted.push(right[i]!);
      i += 1;
    } else {
      had.push(odd[j]!);
      j += 1;
    }
  }
  return [wanted, had];
}

function fieldsApart(one: Piece, other: Piece): readonly string[] {
  if (isSameJson(one.value, other.value)) return ['order'];
  if (one.kind === 'line' || other.kind === 'line') return ['line'];
  return fieldsOf(one.value, other.value, other.kind);
}

function fieldsOf(one: Json | undefined, other: Json | undefined, place: string): readonly string[] {
  if (one !== undefined && other !== undefined && isSameJson(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) {
    const most = Math.max(one.length, other.length);
    return Array.from({ length: most }, (_, at) => fieldsOf(one[at] as Json, other[at] as Json, place)).flat();
  }
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => fieldsOf(one[name], other[name], `${place}/${name}`));
  }
  return [place];
}
