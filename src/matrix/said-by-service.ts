const ofThisCell = ' (every request of this cell was ';

/** @param how "refused with 504 while others of the model were answered" */
export const withRefusal = (detail: string, how: string): string => `${detail}${ofThisCell}${how})`;

/** What the service said, without what {@link withRefusal} adds. */
export function saidByService(detail: string): string {
  const at = detail.lastIndexOf(ofThisCell);
  return at === -1 ? detail : detail.slice(0, at);
}
