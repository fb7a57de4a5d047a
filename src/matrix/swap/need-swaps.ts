import type { ReportDiff } from '../diff/report-diff.js';
import { needNames } from '../recommendations/needs.js';
import type { Recommendation } from '../report-format.js';
import type { SwapSide } from './swap-side.js';

/** What is recommended for a need, with both models. */
export interface NeedSwap {
  readonly need: Recommendation['need'];
  /**
   * `lost` and `gained`: only one side has a form that can be relied on, and cells of such forms were lost or gained,
   * or more answers of the new model fail whatever they are of.
   * `unproven`: only one side has one, and luck may explain it. `not_measured`: one side was not asked, or did not answer.
   */
  readonly change: 'same' | 'requests' | 'lost' | 'gained' | 'unproven' | 'not_measured';
  /** null: nothing was judged that serves the need. */
  readonly base: NeedSide | null;
  readonly head: NeedSide | null;
}

export type NeedSide = Pick<Recommendation, 'form' | 'settings' | 'request' | 'caveats' | 'because'>;

/** Each need of which something was judged on at least one side. */
export function needSwapsOf(diff: ReportDiff, base: SwapSide, head: SwapSide): NeedSwap[] {
  return needNames.flatMap((need): NeedSwap[] => {
    const [was, is] = [recommendedTo(need, base), recommendedTo(need, head)];
    if (was === null && is === null) return [];
    return [{ need, change: changeOf(need, { was, is }, diff, head), base: was, head: is }];
  });
}

function recommendedTo(need: Recommendation['need'], { report, model }: SwapSide): NeedSide | null {
  const found = report.recommendations.find((one) => one.model === model && one.need === need);
  if (found === undefined) return null;
  const { form, settings, request, caveats, because } = found;
  return { form, settings, ...(request && { request }), ...(caveats && { caveats }), because };
}

function changeOf(
  need: Recommendation['need'],
  { was, is }: { readonly was: NeedSide | null; readonly is: NeedSide | null },
  diff: ReportDiff,
  side: SwapSide,
): NeedSwap['change'] {
  if (was === null || is === null) return 'not_measured';
  if (was.form === null && is.form === null) return 'same';
  if (was.form !== null && is.form !== null) return asSent(was) === asSent(is) ? 'same' : 'requests';
  if (is.form === null && diff.whole.length > 0) return 'lost';
  const forms = new Set([was.form, is.form, ...formsOf(need, side)]);
  const [changes, change] = is.form === null ? ([diff.lost, 'lost'] as const) : ([diff.gained, 'gained'] as const);
  const concerns = ({ capability }: { readonly capability: string }): boolean =>
    forms.has(capability.replace(/^budget\./, ''));
  return changes.some(concerns) ? change : 'unproven';
}

/** The capabilities whose form of request serves a need, the best first; none in a report of an older version. */
export function formsOf(need: Recommendation['need'], { report }: SwapSide): readonly string[] {
  return (report.forms ?? []).filter((one) => one.need === need).map(({ capability }) => capability);
}

const asSent = ({ form, settings, request }: NeedSide): string => JSON.stringify([form, settings, request]);
