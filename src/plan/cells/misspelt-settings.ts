import type { Config } from '../../config/config.js';
import { nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Suite } from '../../suite/probe.js';

/**
 * A settings axis that no model defines while one of nearly that name is defined: its cells would all be `not_run`. An
 * axis that nothing in the config resembles is left to the reports, which say what to add.
 */
export function misspeltSettings(config: Config, suites: readonly Suite[]): readonly Problem[] {
  const models = config.targets.flatMap((target) => target.models);
  const defined = new Set(models.flatMap(({ settings }) => Object.keys(settings)));
  return suites
    .flatMap(({ probes }) => probes)
    .flatMap(({ suite, name, axes, place }) =>
      axes.flatMap((axis): Problem[] => {
        if (axis.kind !== 'settings' || defined.has(axis.settings)) return [];
        const meant = nearest(axis.settings, defined);
        if (meant === null) return [];
        const message = `${suite}/${name} varies the settings "${axis.settings}", which no model of the config defines`;
        return [{ severity: 'warning', message, hint: `did you mean "${meant}"?`, place }];
      }),
    );
}
