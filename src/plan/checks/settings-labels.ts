import type { Config } from '../../config/config.js';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { Point } from '../../cell/cell-key.js';
import type { Probe } from '../../suite/probe.js';
import type { ProbeOrigin } from '../../suite/probe-origin.js';

/**
 * Labels of settings axes that no model defines: what a suite says of them has no effect. A suite may be shared by
 * configs with other labels, so only one that looks misspelt is an error. Built-in suites know no config.
 */
export function settingsLabelProblems(config: Config, probe: Probe, origin: ProbeOrigin): Problem[] {
  if (origin.builtin) return [];
  const defined = labelsIn(config);
  const named: readonly (readonly [Path, Point])[] = [
    ...probe.exclude.map((point, index) => [['exclude', index], point] as const),
    ...probe.include.map((point, index) => [['include', index], point] as const),
    ...probe.when.map(({ point }, index) => [['when', index, 'point'], point] as const),
  ];
  return named.flatMap(([path, point]) =>
    Object.entries(point).flatMap(([name, label]): Problem[] => {
      const axis = probe.axes.find((one) => one.name === name);
      const labels = axis?.kind === 'settings' ? defined.get(axis.settings) : undefined;
      if (labels === undefined || labels.has(label)) return [];
      const message = `no model of the config has the label "${label}" of ${name}`;
      const severity = nearest(label, labels) === null ? 'warning' : 'error';
      const place = [...origin.path, ...path, name];
      return [problemAt(origin.source, place, message, didYouMean(label, labels, 'labels'), { severity })];
    }),
  );
}

/** The labels of each setting that some model has. */
function labelsIn({ targets }: Config): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const { settings } of targets.flatMap(({ models }) => models)) {
    for (const [axis, patches] of Object.entries(settings)) {
      const known = labels.get(axis) ?? new Set();
      Object.keys(patches).forEach((label) => known.add(label));
      labels.set(axis, known);
    }
  }
  return labels;
}
