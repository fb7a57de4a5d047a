import type { Problem } from '../../../files/problems/problem.js';
import { probeProblem, type ProbeDraft } from '../probe-draft.js';

/** A probe has exactly one of: a request, steps, or `enforce`. */
export function* checkSteps(draft: ProbeDraft): Generator<Problem> {
  const { request, steps, enforce, expect } = draft.written;
  if (steps !== undefined) {
    for (const [name, other] of Object.entries({ request, enforce, expect })) {
      if (other === undefined) continue;
      const hint = name === 'expect' ? 'move it into the step that it is about' : 'write them as two probes';
      yield probeProblem(draft, [name], `${name} and steps cannot be combined`, hint, { part: 'key' });
    }
    yield* checkFlow(draft);
  } else if (draft.asksNothing) {
    const message = `the probe "${draft.name}" asks nothing: "request", "steps" or "enforce" is missing`;
    const hint = 'add request: { messages: [{ role: user, content: ... }] }';
    yield probeProblem(draft, [], message, hint, { part: 'key' });
  }
}

/** The steps of a flow have different ids, and each sends a request or runs a tool that an answer called. */
function* checkFlow(draft: ProbeDraft): Generator<Problem> {
  const { steps = [] } = draft.written;
  const seen = new Map<string, number>();
  let asked = false;
  for (const [index, { id, request, run, expect }] of steps.entries()) {
    const problem = (below: readonly string[], message: string, hint?: string): Problem =>
      probeProblem(draft, ['steps', index, ...below], message, hint, { part: 'key' });
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    else {
      const { place } = draft.source.spotOf([...draft.path, 'steps', first]);
      const message = `two steps are called "${id}" (the first on line ${place.line})`;
      yield probeProblem(draft, ['steps', index, 'id'], message, 'rename one of them');
    }
    if (request === undefined && run === undefined) {
      yield problem([], `the step "${id}" does nothing: "request" or "run" is missing`);
    } else if (request !== undefined && run !== undefined) {
      yield problem(['run'], `the step "${id}" has both request and run`, 'write them as two steps');
    } else if (run !== undefined && expect !== undefined) {
      const message = "a step with run cannot have expect, because the tool is the client's own";
      yield problem(['expect'], message, 'remove expect');
    } else if (run !== undefined && !asked) {
      yield problem(['run'], `the step "${id}" runs a tool before any request`, 'put a step with a request before it');
    }
    asked ||= request !== undefined;
  }
  if (steps.length > 0 && !asked) {
    yield probeProblem(draft, ['steps'], 'no step sends a request', 'add a step with a request', { part: 'key' });
  }
}
