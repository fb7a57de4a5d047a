import type { Enforcement } from '../../../cell/verdict.js';
import { familyOf } from '../../../matrix/capability-families.js';
import type { ReportCell } from '../../../matrix/report-format.js';

/** How a service treats a schema keyword in a response format and in the parameters of a tool. */
export interface KeywordRow {
  readonly keyword: string;
  readonly channels: Readonly<Record<Channel, readonly KeywordCell[]>>;
}

export interface KeywordCell {
  readonly key: string;
  readonly enforcement: Enforcement;
}

export const channels = ['schema', 'tool_schema'] as const;
export type Channel = (typeof channels)[number];

export function keywordMap(cells: readonly ReportCell[]): KeywordRow[] {
  const rows = new Map<string, Record<Channel, KeywordCell[]>>();
  for (const { key, capability, enforcement } of cells) {
    const channel = channels.find((name) => name === familyOf(capability));
    if (channel === undefined || enforcement === null) continue;
    const keyword = capability.slice(channel.length + 1);
    const row = rows.get(keyword) ?? { schema: [], tool_schema: [] };
    row[channel].push({ key, enforcement });
    rows.set(keyword, row);
  }
  return [...rows]
    .map(([keyword, found]) => ({ keyword, channels: found }))
    .sort((a, b) => (a.keyword < b.keyword ? -1 : 1));
}
