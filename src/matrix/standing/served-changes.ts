import type { ModelBefore } from '../../journal/event.js';
import { mostFingerprints } from '../gathered.js';
import type { ServedChange } from '../report-format.js';

/**
 * Names and fingerprints of which none is left from the run before. Services often alternate between a few, so that one
 * more or one less is no news; nor is a service that starts or stops to send them, or has another one for every answer.
 */
export function servedChanges(before: ModelBefore | undefined, now: ModelBefore): ServedChange[] {
  if (before === undefined) return [];
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
