import type { Problem } from '../../files/problems/problem.js';
import { hasErrors } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { JsonObject } from '../../json/json.js';
import { askingProblems, enforceOf, findOf, retryOf, trialsOf } from './read-trials.js';
import { readAxes } from './read-axes.js';
import { pointerProblems, ruleProblems } from '../checks/check-rules.js';
import { ruleStepProblems } from '../checks/check-rule-steps.js';
import { ruleVariableProblems } from '../checks/check-rule-variables.js';
import { schemaProblemsOf } from '../checks/check-schemas.js';
import { capabilityProblems, templateProblems } from '../checks/check-templates.js';
import { toolChoiceProblems } from '../checks/check-tool-choice.js';
import type { Checks } from '../checks/compiled-checks.js';
import { pointOf, pointProblems } from '../checks/check-points.js';
import type { Axis, Need, Probe, Step } from '../probe.js';
import type { ProbeSource } from './probe-source.js';
import { readSamples, type SampleCache } from './read-samples.js';
import { readSteps } from './read-steps.js';

/** What the probes of one suite share. */
export interface ProbeContext {
  readonly project: string;
  readonly defaults: JsonObject | undefined;
  readonly vars: JsonObject;
  readonly modelVars: ReadonlySet<string>;
  /** Without a config there may be more of them. */
  readonly modelVarsKnown: boolean;
  /** The suite ships with the package: it leaves the advised subset on purpose. */
  readonly builtin: boolean;
  readonly checks: Checks;
  readonly samples: SampleCache;
}

/** One probe with everything filled in, and everything that is wrong with it. */
export async function readProbe(
  probe: ProbeSource,
  context: ProbeContext,
): Promise<{ probe: Probe; problems: Problem[] }> {
  const { written, suite, name, source, path } = probe;
  const { axes, problems: axisProblems } = readAxes(probe);
  const { steps, problems: stepProblems } = readSteps(probe, context.defaults);
  const { samples, problems: sampleProblems } = await readSamples(probe, context.project, context.samples);
  const problems = [...axisProblems, ...stepProblems, ...sampleProblems, ...askingProblems(probe, axes, steps)];
  problems.push(...pointProblems(probe, axes), ...pointerProblems(probe, steps, axes));
  // Without its samples every column would be an unknown name.
  if (!hasErrors(sampleProblems)) problems.push(...nameProblems(probe, steps, axes, samples, context));
  problems.push(...ruleProblems(probe, steps, axes, context.checks.expression));
  problems.push(...ruleStepProblems(probe, steps, context.checks.variables));
  problems.push(...toolChoiceProblems(probe, steps, axes));
  const advise = !context.builtin;
  problems.push(...schemaProblemsOf(probe, steps, axes, { compile: context.checks.schema, advise }));
  return {
    problems,
    probe: {
      suite,
      name,
      title: written.title ?? name,
      capability: written.capability ?? `${suite}.${name}`,
      tags: written.tags ?? [],
      needs: namedProbes(probe, ['needs'], written.needs),
      axes,
      combine: written.combine ?? 'product',
      fill: written.fill ?? 0,
      exclude: (written.exclude ?? []).map(pointOf),
      include: (written.include ?? []).map(pointOf),
      steps,
      when: (written.when ?? []).map(({ point, expect }) => ({ point: pointOf(point), expect })),
      samples,
      vars: context.vars,
      trials: trialsOf(written),
      retry: retryOf(written),
      find: findOf(written),
      enforce: enforceOf(written),
      split: namedProbes(probe, ['enforce', 'split'], written.enforce?.split),
      place: source.spotOf(path, 'key').place,
    },
  };
}

/** Other probes that this one names, with their places. */
function namedProbes({ source, path }: ProbeSource, where: Path, names: readonly string[] = []): Need[] {
  return names.map((probe, index) => ({ probe, place: source.spotOf([...path, ...where, index]).place }));
}

function* nameProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
  samples: readonly JsonObject[],
  { vars, modelVars, modelVarsKnown, checks }: ProbeContext,
): Generator<Problem> {
  const names = axes.map(({ name }) => name).filter((name) => name !== probe.written.find?.axis);
  if (probe.written.enforce !== undefined) names.push('channel');
  yield* capabilityProblems(probe, names, checks.template);
  yield* templateProblems(probe, steps, axes, { vars, axes: names, samples, modelVars }, checks.template);
  if (!modelVarsKnown) return;
  const known = new Set([...Object.keys(vars), ...modelVars, ...samples.flatMap(Object.keys), ...names]);
  yield* ruleVariableProblems(probe, steps, known, checks.variables);
}
