import type { ReportRun } from '../../matrix/report-format.js';
import { listed } from './phrases.js';

/** "The schema keywords allOf and anyOf are not asked here; --tags weekly asks them"; null where all are asked. */
export function keywordsLeftOutText(left: ReportRun['keywords_left_out'] | null): string | null {
  if (left === undefined || left === null) return null;
  const { keywords, tag } = left;
  const [noun, are, them] = keywords.length === 1 ? ['keyword', 'is', 'it'] : ['keywords', 'are', 'them'];
  const how = tag === null ? 'a run of all probes' : `--tags ${tag}`;
  return `The schema ${noun} ${listed(keywords)} ${are} not asked here; ${how} asks ${them}`;
}
