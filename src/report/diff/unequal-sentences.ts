import type { ReportDiff } from '../../matrix/diff/report-diff.js';
import { endsRun, type Stop } from '../../journal/stop.js';
import { count } from '../words/phrases.js';
import { stopText } from '../words/stop-text.js';
import { listedNames } from './listed-names.js';

/** Which side did not ask everything, and why: "cut did not ask everything (budget of 8 requests used up)." */
export function cutSentences({ kind, base, head, cut = {} }: ReportDiff): string[] {
  const [was, is] = [whyOf(cut.base), whyOf(cut.head)];
  const sentence = (names: readonly string[], why: string): string => {
    const were = names.length === 1 ? 'was' : 'were';
    const did = kind === 'runs' ? 'did not ask everything' : `${were} not asked everything`;
    return `${names.join(' and ')} ${did}${why}.`;
  };
  if (was !== null && was === is) return [sentence([base, head], was)];
  return [...(was === null ? [] : [sentence([base], was)]), ...(is === null ? [] : [sentence([head], is)])];
}

function whyOf(stops: readonly Stop[] | undefined): string | null {
  if (stops === undefined) return null;
  const parts = stops.map((stop) => {
    const what = stop.model ?? stop.target;
    return `${endsRun(stop) ? '' : ` of ${what ?? ''}`} (${stopText(stop).replace(/\.$/, '')})`;
  });
  return [...new Set(parts)].join(', and not everything');
}

/** The models of which nothing was compared, because only one side asked them, or both asked other things. */
export function uncomparedSentences({
  kind,
  base,
  head,
  models,
  uncompared_models: uncompared = [],
}: ReportDiff): string[] {
  const named = (asked: 'base' | 'head' | 'both') =>
    uncompared.filter((one) => one.asked === asked).map(({ model }) => model);
  const cut = models.filter(({ not_asked: notAsked }) => notAsked === true).map(({ model }) => model);
  const at = kind === 'targets' ? 'at' : 'in';
  const only = (names: readonly string[], side: string): string[] => {
    const were = names.length === 1 ? 'was' : 'were';
    if (names.length === 0) return [];
    return names.length === 1
      ? [`${names.join('')} ${were} asked ${at} ${side} only.`]
      : [`${count(names.length, 'model')} ${were} asked ${at} ${side} only: ${listedNames(names)}.`];
  };
  const both = named('both');
  const sides = kind === 'targets' ? 'at both targets' : 'in both runs';
  return [
    ...only([...(kind === 'models' ? [] : cut), ...named('base')], base),
    ...only(named('head'), head),
    ...(both.length === 0 ? [] : [`No cell of ${listedNames(both)} was judged ${sides}.`]),
  ];
}
