import { groupBy } from '../../json/group-by.js';
import { needNames, needTitles } from '../../matrix/recommendations/needs.js';
import type { Recommendation } from '../../matrix/report-format.js';
import { count } from './phrases.js';
import { settingsShown } from './recommended.js';

/** More models are counted. */
const mostNamed = 2;

/** "Plain text: chat", "Any JSON object: json_object (demo/one)": what is not told at length, a line for each need. */
export function alsoRecommended(all: readonly Recommendation[], told: ReadonlySet<Recommendation>): readonly string[] {
  return needNames.flatMap((need) => {
    const ofNeed = all.filter((one) => one.need === need);
    const left = ofNeed.filter((one) => one.form !== null && !told.has(one));
    if (left.length === 0) return [];
    const forms = [...groupBy(left, formOf)].map(([form, of]) => `${form}${ofModels(of, ofNeed.length)}`);
    return [`${needTitles[need]}: ${forms.join(', ')}`];
  });
}

/** "tools tool_choice=required" */
export function formOf(one: Recommendation): string {
  return one.form === null ? 'none' : [one.form, ...settingsShown(one)].join(' ');
}

/** Nothing where it is all models. */
function ofModels(some: readonly Recommendation[], all: number): string {
  if (some.length === all) return '';
  return ` (${some.length > mostNamed ? count(some.length, 'model') : some.map(({ model }) => model).join(', ')})`;
}
