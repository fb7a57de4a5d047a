import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { Json, JsonObject } from '../../json/json.js';
import { withValueAt } from '../../json/pointer.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import { templatesIn } from './check-templates.js';
import type { Axis, Step } from '../probe.js';
import { probeProblem, type ProbeSource } from '../read/probe-source.js';
import { partsOf } from './request-parts.js';
import { keywordProblems } from './check-keyword.js';
import { schemaAdvice } from './schema-advice.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { schemasIn } from './schemas-in.js';

export interface SchemaCheck {
  readonly compile: SchemaCompiler;
  /** Warn where a schema leaves the advised subset; not for suites that are about just that. */
  readonly advise: boolean;
}

/** The schemas of a probe must be JSON Schemas, unless it is about one that is not. */
export function* schemaProblemsOf(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
  check: SchemaCheck,
): Generator<Problem> {
  if (probe.written.enforce !== undefined) {
    yield* enforceProblems(probe, check.compile);
    yield* keywordProblems(probe);
    return;
  }
  const severity = expectsRefusal(probe, steps) ? 'warning' : 'error';
  const { requests } = partsOf(probe, steps);
  for (const { request, expect, placeOf, expectPath } of requests) {
    for (const { schema, steps: way } of schemasIn(request)) {
      yield* oneSchema(probe, schema, (below) => placeOf([...way, ...below]), severity, check);
    }
    yield* expected(probe, expect, expectPath, check);
  }
  for (const [index, { expect }] of (probe.written.when ?? []).entries()) {
    yield* expected(probe, expect, [...probe.path, 'when', index, 'expect'], check);
  }
  for (const axis of axes) yield* variedSchemas(probe, axis, requests[0]?.request ?? {}, severity, check);
}

/** A malformed schema may be sent on purpose. */
function expectsRefusal(probe: ProbeSource, steps: readonly Step[]): boolean {
  const expected = steps.flatMap((step) => (step.kind === 'ask' ? [step.expect] : []));
  const said = [...expected, ...(probe.written.when ?? []).map(({ expect }) => expect)];
  return said.some(({ rejected, outcome }) => rejected !== undefined || outcome === 'http_error');
}

function* expected(probe: ProbeSource, expect: ExpectSpec, path: Path, check: SchemaCheck): Generator<Problem> {
  // What the client checks is its own matter: no service has to support it.
  if (expect.schema === undefined) return;
  yield* oneSchema(probe, expect.schema, (below) => [...path, 'schema', ...below], 'error', {
    ...check,
    advise: false,
  });
}

/** What each point makes of the first request's schemas. */
function* variedSchemas(
  probe: ProbeSource,
  axis: Axis,
  request: JsonObject,
  severity: Problem['severity'],
  check: SchemaCheck,
): Generator<Problem> {
  if (axis.kind !== 'values' || (axis.at[0] !== 'response_format' && axis.at[0] !== 'tools')) return;
  const written = probe.written.vary?.[axis.name];
  const inner = typeof written === 'object' && 'points' in written && 'at' in written ? ['points'] : [];
  for (const [index, [label, point]] of [...axis.points].entries()) {
    if (point.kind === 'unset') continue;
    const path = [...probe.path, 'vary', axis.name, ...inner, axis.listed ? index : label];
    for (const { schema, steps } of schemasIn(withValueAt(request, axis.at, point.value))) {
      const below = steps.slice(axis.at.length);
      const touched = axis.at.every(
        (step, position) => steps[position] === undefined || String(steps[position]) === step,
      );
      if (touched) yield* oneSchema(probe, schema, (rest) => [...path, ...below, ...rest], severity, check);
    }
  }
}

function* oneSchema(
  probe: ProbeSource,
  schema: Json,
  placeOf: (below: Path) => Path,
  severity: Problem['severity'],
  { compile, advise }: SchemaCheck,
): Generator<Problem> {
  // A schema with templates is a schema only once they are filled.
  if (!templatesIn(schema).next().done) return;
  const compiled = compile(schema);
  if (!compiled.ok) {
    const hint = severity === 'warning' ? 'it is sent as it is, since the probe expects a refusal' : compiled.hint;
    yield problemAt(probe.source, placeOf(compiled.below), compiled.message, hint, { severity });
  } else if (advise) {
    for (const { below, message, hint } of schemaAdvice(schema)) {
      yield problemAt(probe.source, placeOf(below), message, hint, { severity: 'warning', part: 'key' });
    }
  }
}

/** `enforce` proves nothing unless one document conforms and the other does not. */
function* enforceProblems(probe: ProbeSource, compile: SchemaCompiler): Generator<Problem> {
  const { enforce } = probe.written;
  if (enforce === undefined) return;
  const compiled = compile(enforce.schema);
  if (!compiled.ok) {
    yield probeProblem(probe, ['enforce', 'schema', ...compiled.below], compiled.message, compiled.hint);
    return;
  }
  const violation = compiled.accepts(enforce.valid);
  if (violation !== null) {
    const message = `the valid document does not conform to the schema: ${violation}`;
    yield probeProblem(
      probe,
      ['enforce', 'valid'],
      message,
      'a model that is held to the schema could never repeat it',
    );
  }
  // A description binds nothing, so that no document can break it.
  if (enforce.keyword !== 'description' && compiled.accepts(enforce.invalid) === null) {
    const message = 'the invalid document conforms to the schema';
    yield probeProblem(probe, ['enforce', 'invalid'], message, `let it break just the keyword ${enforce.keyword}`);
  }
}
