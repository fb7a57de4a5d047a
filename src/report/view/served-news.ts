import type { Report, ReportModel } from '../../matrix/report-format.js';
import { promptTokensNews } from './prompt-tokens-news.js';

/** What the services call their models now, and how they count: "demo/x is now served by m-2026-11 (was m-2026-10)". */
export function servedNews({ models }: Pick<Report, 'models'>): string[] {
  return [...models.flatMap(changesOf), ...models.flatMap(strangersOf), ...models.flatMap(promptTokensNews)];
}

function changesOf({ id, served_changes: changes = [] }: ReportModel): string[] {
  return changes.map(({ field, before, now, at }) => {
    const how = field === 'model' ? 'is now served by' : 'now answers with system_fingerprint';
    return `${id} ${how} ${now.join(', ')} (was ${before.join(', ')})${at === undefined ? '' : `, since the run of ${at.slice(0, 10)}`}`;
  });
}

/** Names that have nothing in common with the one that was asked for. Once a baseline knows the model, only a change is news. */
function strangersOf({ id, model, served, standing }: ReportModel): string[] {
  const others = standing === 'new' ? served.filter((name) => !isKin(name, model)) : [];
  if (others.length === 0) return [];
  return [`${id} is served by ${others.join(', ')}: an alias of it, or another model than the one that was asked for`];
}

/** "vendor/m-large" and "m-large-2026-11" */
function isKin(served: string, asked: string): boolean {
  const [one, other] = [bareName(served), bareName(asked)];
  return one.includes(other) || other.includes(one);
}

const bareName = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase();
