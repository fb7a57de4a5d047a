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
