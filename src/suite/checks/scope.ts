import { didYouMean } from '../../files/problems/nearest.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { EarlierSteps } from './request-parts.js';
import type { TemplateName } from './template-names.js';

/** The variables that a probe's templates may name. */
export interface Scope {
  readonly vars: JsonObject;
  /** Names of axes: their labels. */
  readonly axes: readonly string[];
  readonly samples: readonly JsonObject[];
  /** Names that some model's `vars` define; their values are not looked at. */
  readonly modelVars: ReadonlySet<string>;
  /** null outside of flows. */
  readonly steps: EarlierSteps | null;
}

export interface Unknown {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is wrong with a name in a template; null when every trial will know it. */
export function unknownName(scope: Scope, { parts, direct }: TemplateName): Unknown | null {
  const [first = '', ...below] = parts;
  if (scope.axes.includes(first)) {
    return below.length === 0 ? null : { message: `{{${first}}} is a label and has no members` };
  }
  if (first === 'steps' && scope.steps !== null) return unknownStep(scope.steps, below);
  const { samples, vars, modelVars } = scope;
  const rowWithout = samples.findIndex((row) => !Object.hasOwn(row, first));
  const inRows = samples.length > 0 && rowWithout < 0;
  if (!inRows && modelVars.has(first)) return null;
  const inVars = Object.hasOwn(vars, first);
  if (!inRows && !inVars) {
    return samples.some((row) => Object.hasOwn(row, first))
      ? { message: `row ${rowWithout + 1} of the samples has no "${first}"`, hint: 'give every row the same columns' }
      : { message: `unknown name "${first}"`, hint: nameHint(first, scope) };
  }
  for (const [index, values] of (inRows ? samples : [vars]).entries()) {
    const value = at(values, parts);
    const where = inRows ? `row ${index + 1} of the samples` : 'vars';
    if (value === undefined) return missing(values, parts, where);
    if (direct && isObject(value)) {
      return { message: `"${parts.join('.')}" is an object and no text`, hint: `write {{json ${parts.join('.')}}}` };
    }
  }
  return null;
}

const left: Readonly<Record<'ask' | 'run', readonly string[]>> = {
  ask: ['arguments', 'value', 'content', 'reply'],
  run: ['result'],
};

function unknownStep(steps: EarlierSteps, [id, member]: readonly string[]): Unknown | null {
  if (id === undefined) return null;
  const kind = steps.get(id);
  if (kind === undefined) {
    const hint = steps.size === 0 ? 'this is the first step' : didYouMean(id, steps.keys(), 'earlier steps');
    return { message: `there is no earlier step "${id}"`, hint };
  }
  if (member === undefined || left[kind].includes(member)) return null;
  return { message: `a step leaves no "${member}"`, hint: didYouMean(member, left[kind], `the step ${id} leaves`) };
}

function missing(values: Json, parts: readonly string[], where: string): Unknown {
  const known = parts.findIndex((_, index) => at(values, parts.slice(0, index + 1)) === undefined);
  const holder = at(values, parts.slice(0, known));
  const hint = isObject(holder) ? didYouMean(parts[known] ?? '', Object.keys(holder)) : undefined;
  return { message: `${where} has no "${parts.slice(0, known + 1).join('.')}"`, hint };
}

function nameHint(name: string, { vars, axes, samples, modelVars, steps }: Scope): string {
  const names = new Set([...Object.keys(vars), ...axes, ...samples.flatMap(Object.keys), ...modelVars]);
  if (steps !== null) names.add('steps');
  return (
    didYouMean(name, names, 'known names') ?? 'define it under vars, or write \\{{ for two braces that mean themselves'
  );
}
