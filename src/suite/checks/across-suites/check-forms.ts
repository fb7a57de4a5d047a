import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { capabilityThrough, enforceChannels } from '../../enforce-channels.js';
import type { Probe } from '../../probe.js';
import type { ReadSuite, SuitesDraft } from '../suites-draft.js';

/**
 * A form can be recommended, and a title shown, only if a probe measures the capability. Only a warning: another config
 * may list it.
 */
export function* checkForms({ suites, probes, complete }: SuitesDraft): Generator<Problem> {
  if (!complete || suites.every(({ suite }) => suite.forms.length + suite.families.length === 0)) return;
  const capabilities = [...probes.values()].flatMap(({ probe }) => capabilitiesOf(probe));
  const ids = new Set(capabilities.flatMap((one) => (typeof one === 'string' ? [one] : [])));
  const isMeasured = (id: string): boolean =>
    ids.has(id) ||
    capabilities.some((one) => typeof one !== 'string' && id.startsWith(one.start) && id.endsWith(one.end));
  function* unmeasured(source: ReadSuite['source'], path: Path, capability: string): Generator<Problem> {
    if (isMeasured(capability)) return;
    const message = `no probe measures the capability "${capability}"`;
    const hint = didYouMean(capability, ids, 'capabilities');
    yield problemAt(source, path, message, hint, { severity: 'warning' });
  }
  for (const { suite, source } of suites) {
    for (const [index, form] of suite.forms.entries()) {
      for (const part of ['capability', 'budget'] as const) {
        const capability = form[part];
        if (capability !== null) yield* unmeasured(source, ['forms', index, part], capability);
      }
    }
    for (const [index, { titles = {} }] of suite.families.entries()) {
      for (const capability of Object.keys(titles)) {
        yield* unmeasured(source, ['families', index, 'titles', capability], capability);
      }
    }
  }
}

/** The capability ids of a probe's cells; where labels are not known here or many combine, how the ids begin and end. */
function capabilitiesOf({ capability, axes, enforce }: Probe): readonly (string | { start: string; end: string })[] {
  const [start = '', end, more] = capability.split(/\{\{[^{}]*\}\}/);
  if (end === undefined) {
    return enforce === null ? [start] : enforceChannels.map((channel) => capabilityThrough(channel, start));
  }
  const name = /\{\{\s*([^{}\s]+)\s*\}\}/.exec(capability)?.[1];
  const axis = axes.find((one) => one.name === name);
  if (axis?.kind !== 'values' || more !== undefined) return [{ start, end: more === undefined ? end : '' }];
  return [...axis.points.keys()].map((label) => `${start}${label}${end}`);
}
