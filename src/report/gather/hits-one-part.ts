/** How probable it may be that chance alone lets one part have everything. */
const byChance = 0.01;

/**
 * Whether a part of the requests has all of so many failures for a reason: chance would hardly spare the others.
 * @param share of the requests that belongs to the part
 */
export function hitsOnePart(share: number, failures: number): boolean {
  return share ** failures < byChance;
}
