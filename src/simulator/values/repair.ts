import type { ErrorObject } from 'ajv';
import { isObject, type Json } from '../../json/json.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import { mend } from './schema-fixes.js';
import type { SchemaCheck } from './schema-check.js';
import type { SketchScene } from './example-value.js';

const mostRounds = 24;

/**
 * Changes a value, as little as it can, until it conforms: each broken rule is mended where it is broken.
 * null when no conforming value was found.
 */
export function repair(value: Json, check: SchemaCheck, scene: SketchScene): { readonly value: Json } | null {
  let here = value;
  for (let round = 0; round < mostRounds; round += 1) {
    const errors = check(here);
    if (errors.length === 0) return { value: here };
    here = mendAll(here, errors, { ...scene, turn: scene.turn + round });
  }
  return null;
}

/** Errors of branches that need not hold are skipped: their choice (`anyOf`, `oneOf`) has an error of its own. */
function mendAll(value: Json, errors: readonly ErrorObject[], scene: SketchScene): Json {
  const own = errors.filter((error) => !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath));
  const touched: string[] = [];
  let here = value;
  for (const error of own.length > 0 ? own : errors) {
    const path = error.instancePath;
    if (touched.some((other) => path === other || path.startsWith(`${other}/`))) continue;
    const steps = pointerSteps(path);
    const broken = at(here, steps);
    if (broken === undefined) continue;
    here = withValueAt(here, steps, mend(broken, error, scene));
    // Members that were added or removed leave their siblings' errors in force; other changes do not.
    if (!isObject(broken) || error.keyword === 'anyOf' || error.keyword === 'oneOf') touched.push(path);
  }
  return here;
}
