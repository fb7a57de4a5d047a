import { aConfig, aTarget } from './build.js';
import { compilePattern } from '../../src/cell/cell-pattern.js';
import type { Config, TargetConfig } from '../../src/config/config.js';
import { groupBy } from '../../src/json/group-by.js';
import { mergePatch } from '../../src/json/merge-patch.js';
import { isObject, type JsonObject } from '../../src/json/json.js';
import type { ExpectSpec } from '../../src/judge/expectation.js';
import type { Plan } from '../../src/plan/ticket.js';
import { allCells } from '../../src/plan/cells/plan-cells.js';
import { makePlan } from '../../src/plan/make-plan.js';
import type { PlanOptions } from '../../src/plan/plan-options.js';
import type { Probe, Suite } from '../../src/suite/probe.js';
import { modelWithSettings } from './builtin-suites.js';
import type { Label, LabelPatch } from './label-table.js';

/** Which cells of a profile are asked: those that its label names, for `nightly` together with those of a nightly run. */
export type Scope = 'nightly' | 'named';

export interface LabelPlan {
  readonly plan: Plan;
  readonly config: Config;
}

/** The environment variable with the API key, for targets that have one. */
export const keyVariable = 'CHATSPEC_LABELS_KEY';

/**
 * One plan for all these profiles, each with its probes patched as its label says. What only a nightly run asks of a
 * profile is planned as such a run plans it, with its reserve.
 */
export function planOfLabels(labels: readonly Label[], suites: readonly Suite[], scope: Scope): LabelPlan {
  const nightly = scope === 'nightly' ? labels.filter((label) => namesNightly(label, suites)) : [];
  const others = labels.filter((label) => !nightly.includes(label));
  const plans = [
    ...(nightly.length === 0 ? [] : [planned(nightly, suites, { tags: ['nightly'] })]),
    ...others.map((label) => planOfLabel(label, suites, scope)),
  ];
  const first = plans[0];
  if (first === undefined) throw new Error('no label');
  const tickets = plans.flatMap((plan) => plan.tickets);
  const ofModels = [...groupBy(tickets, ({ cell }) => cell.model.key).values()];
  return {
    plan: {
      ...first,
      // Deviations are confirmed as in a run of a single model.
      plannedCells: Math.max(...ofModels.map(({ length }) => length)),
      tickets,
      reserve: plans.flatMap(({ reserve }) => reserve),
    },
    config: configFor(labels),
  };
}

/** Whether the label speaks only of cells that a nightly run asks, as they are. */
function namesNightly(label: Label, suites: readonly Suite[]): boolean {
  if (label.with !== undefined) return false;
  const named = namedBy(label);
  const { cells } = allCells(configFor([label]), suites);
  return cells.every(({ key, probe }) => isNightly(probe) || !named.some((matches) => matches(key)));
}

function planOfLabel(label: Label, suites: readonly Suite[], scope: Scope): Plan {
  const asked = label.with === undefined ? suites : patchedSuites(suites, label);
  const named = namedBy(label);
  const { cells } = allCells(configFor([label]), asked);
  const only = cells
    .filter(({ key, probe }) => (scope === 'nightly' && isNightly(probe)) || named.some((matches) => matches(key)))
    .map(({ key }) => key);
  return planned([label], asked, { only });
}

function planned(labels: readonly Label[], suites: readonly Suite[], options: PlanOptions): Plan {
  const { plan, problems } = makePlan({ config: configFor(labels), suites, baseline: null, options });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return plan;
}

const isNightly = ({ tags }: Probe): boolean => tags.includes('nightly');

function namedBy({ unreachable, cells = [] }: Label): readonly ((key: string) => boolean)[] {
  const keys = unreachable === undefined ? cells.map(({ key }) => key) : ['quick-start/plain'];
  return keys.map((key) => compilePattern(key));
}

function configFor(labels: readonly Label[]): Config {
  const targets = [...groupBy(labels.map(targetFor), ({ name }) => name).values()];
  return aConfig(targets.map((same) => ({ ...same[0]!, models: same.flatMap(({ models }) => models) })));
}

function targetNameOf(patch: LabelPatch = {}): string {
  if (patch.key === true) return 'keyed';
  return patch.timeout_s === undefined ? 'demo' : `hasty-${patch.timeout_s}`;
}

/**
 * How much of a label's time-out is waited for: what does not answer in a second does not answer in half of one either,
 * and time in which this process, the service included, is busy does not count.
 */
const waited = 0.5;

function targetFor(label: Label): TargetConfig {
  const name = targetNameOf(label.with);
  const timeoutSeconds = label.with?.timeout_s === undefined ? 60 : label.with.timeout_s * waited;
  const model = modelWithSettings(`${name}/${label.profile}`);
  const limits = { concurrency: 64, timeoutSeconds, retries: 2 };
  const target = aTarget(name, { baseUrl: 'simulator', limits, models: [{ ...model, concurrency: 8 }] });
  return label.with?.key === true ? { ...target, apiKeyEnv: keyVariable } : target;
}

/** The suites with the label's patch in every request and expectation of the probes that the label names. */
function patchedSuites(suites: readonly Suite[], { cells = [], with: patch = {} }: Label): readonly Suite[] {
  const probes = new Set(cells.map(({ key }) => key.replace(/\[.*/, '')));
  return suites.map((suite) => ({
    ...suite,
    probes: suite.probes.map((probe) =>
      probes.has(`${suite.name}/${probe.name}`) ? patchedProbe(probe, patch) : probe,
    ),
  }));
}

function patchedProbe(probe: Probe, { request = {}, expect = {} }: LabelPatch): Probe {
  return {
    ...probe,
    steps: probe.steps.map((step) =>
      step.kind === 'run'
        ? step
        : { ...step, request: merged(step.request, request), expect: { ...step.expect, ...(expect as ExpectSpec) } },
    ),
  };
}

function merged(body: JsonObject, patch: JsonObject): JsonObject {
  const result = mergePatch(body, patch);
  return isObject(result) ? result : {};
}
