/**
 * "12,345.7". `toLocaleString` would first load the data of all languages, which takes longer than to print a plan.
 * @param digits the most behind the point
 */
export function numberText(value: number, digits = 0): string {
  if (!(Math.abs(value) < 1e15)) return value.toLocaleString('en-US');
  const [whole = '', fraction] = String(Number(value.toFixed(digits))).split('.');
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}

/** "1 cell", "12,345 cells" */
export function amountText(value: number, noun: string): string {
  return `${numberText(value)} ${noun}${value === 1 ? '' : 's'}`;
}
