import type { ModelBefore } from '../../journal/event.js';
import { mostFingerprints } from '../gathered.js';
import type { ServedChange } from '../report-format.js';
import { isRecent } from './news-for.js';

/**
 * Names and fingerprints of which none is left from the run before. Services often alternate between a few, so that one
 * more or one less is no news; nor is a service that starts or stops to send them, or has another one for every answer.
 */
export function servedChanges(before: ModelBefore | undefined, now: ModelBefore, at = ''): ServedChange[] {
  if (before === undefined) return [];
  const found = changesSince(before, now);
  const { swap } = before;
  if (swap === undefined || found.some(({ field }) => field === 'model') || !isStillNews(swap, now, at)) return found;
  return [{ field: 'model', before: swap.before, now: swap.now, at: swap.at }, ...found];
}

function isStillNews(swap: NonNullable<ModelBefore['swap']>, { served }: ModelBefore, at: string): boolean {
  const isBack = served.some((name) => swap.before.includes(name));
  return !isBack && served.some((name) => swap.now.includes(name)) && isRecent(swap.at, at);
}

function changesSince(before: ModelBefore, now: ModelBefore): ServedChange[] {
  const fields: readonly ServedChange[] = [
    { field: 'model', before: before.served, now: now.served },
    { field: 'system_fingerprint', before: before.fingerprints, now: now.fingerprints },
  ];
  const isVersioned = ({ field, ...names }: ServedChange): boolean =>
    field === 'model' || Math.max(names.before.length, names.now.length) < mostFingerprints;
  return fields
    .filter(isVersioned)
    .filter((one) => one.before.length > 0 && one.now.length > 0 && !one.now.some((name) => one.before.includes(name)));
}
