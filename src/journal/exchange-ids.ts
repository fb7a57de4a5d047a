/** The name of a run's n-th exchange: e000001, e000002, ... */
export const exchangeId = (number: number): string => `e${String(number).padStart(6, '0')}`;

/** The number in an exchange id; null for an id of any other form. */
export function exchangeNumber(id: string): number | null {
  const number = /^e\d{6,15}$/.test(id) ? Number(id.slice(1)) : null;
  return number !== null && exchangeId(number) === id ? number : null;
}

/** The ids after the exchange with this number (0: from the first one), one for each call. */
export function exchangeIdsAfter(last: number): () => string {
  let number = last;
  return () => exchangeId((number += 1));
}

/** A growing list of exchange ids. */
export interface ExchangeIds extends Iterable<string> {
  add(id: string): void;
  /** Memory that the ids take, in bytes. */
  size(): number;
}

/**
 * Keeps ids in a byte or two each: a run may have a hundred thousand, and which as strings would take much memory.
 * Each is stored as its distance from the one before it, since the ids of one cell lie close together. Ids of any other
 * form are kept as they are.
 */
export function openExchangeIds(): ExchangeIds {
  let bytes = new Uint8Array(8);
  let used = 0;
  let last = 0;
  const others: string[] = [];

  /** Seven bits a byte, the lowest first; the eighth bit means that more follow. */
  const write = (code: number): void => {
    for (let rest = code; ; rest = Math.floor(rest / 128)) {
      if (used === bytes.length) {
        const larger = new Uint8Array(2 * used);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[used++] = rest < 128 ? rest : 128 + (rest % 128);
      if (rest < 128) return;
    }
  };

  return {
    add(id) {
      const number = exchangeNumber(id);
      if (number === null) {
        others.push(id);
        write(other);
        return;
      }
      write(codeOf(number - last));
      last = number;
    },
    size: () => bytes.length + others.reduce((sum, id) => sum + id.length, 0),
    *[Symbol.iterator]() {
      let number = 0;
      let seen = 0;
      for (let at = 0; at < used; at++) {
        let code = 0;
        for (let weight = 1; ; weight *= 128, at++) {
          const byte = bytes[at] ?? 0;
          code += weight * (byte % 128);
          if (byte < 128) break;
        }
        if (code === other) yield others[seen++] ?? '';
        else yield exchangeId((number += distanceOf(code)));
      }
    },
  };
}

/** Stands in place of a distance for the next id of another form. */
const other = 0;

/** Small for small distances in either direction. */
const codeOf = (distance: number): number => (distance < 0 ? -2 * distance : 2 * distance + 1);
const distanceOf = (code: number): number => (code % 2 === 0 ? -code / 2 : (code - 1) / 2);
