/** Ids of exchanges, in the order in which they were added. */
export interface ExchangeIds extends Iterable<string> {
  add(id: string): void;
  /** Bytes that the ids take. */
  size(): number;
}

/** How the run names its exchanges. */
export const exchangeId = (number: number): string => `e${String(number).padStart(6, '0')}`;

/**
 * Keeps ids in a byte or two each: a run may have a hundred thousand, and as strings they would be what makes its memory
 * grow. Each is the distance to the one before it, since those of one cell lie close together; ids of any other form
 * are kept as they are.
 */
export function openExchangeIds(): ExchangeIds {
  let bytes = new Uint8Array(8);
  let used = 0;
  let last = 0;
  const others: string[] = [];

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
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
      const number = numberOf(id);
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

/** In place of a distance: the next of the ids that have another form. */
const other = 0;

/** Small for small distances in either direction. */
const codeOf = (distance: number): number => (distance < 0 ? -2 * distance : 2 * distance + 1);
const distanceOf = (code: number): number => (code % 2 === 0 ? -code / 2 : (code - 1) / 2);

/** null: an id that the number would not give back. */
function numberOf(id: string): number | null {
  const number = /^e\d{6,15}$/.test(id) ? Number(id.slice(1)) : null;
  return number !== null && exchangeId(number) === id ? number : null;
}
