import { hasTemplate } from '../../../body/has-template.js';
import { nearest } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { ProbeDraft } from '../probe-draft.js';

const usual = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];
/** What some services say instead, although it resembles one of the usual values. */
const alsoSeen = new Set(['tool_call', 'tool_use', 'stopped', 'max_length', 'model_length']);

/** Services have values of their own, but one that is nearly a usual one is misspelt, and no answer would have it. */
export function* checkFinishReasons({ source, expectations }: ProbeDraft): Generator<Problem> {
  for (const { expect, path } of expectations) {
    for (const [index, reason] of (expect.finish_reason ?? []).entries()) {
      const meant = usual.includes(reason.toLowerCase()) || alsoSeen.has(reason) ? null : nearest(reason, usual);
      if (meant === null || hasTemplate(reason)) continue;
      const message = `no answer has the finish_reason "${reason}"`;
      yield problemAt(source, [...path, 'finish_reason', index], message, `did you mean "${meant}"?`);
    }
  }
}
