import type { FailOn } from '../../matrix/run-exit-code.js';
import type { Profile } from '../../plan/ticket.js';

/** Words of which an option or an argument takes one. Errors, help and completion read them here. */
export const profiles: readonly Profile[] = ['smoke', 'standard', 'certify'];
export const failOnWords: readonly FailOn[] = ['deviation', 'regression', 'fail', 'never'];
export const shapesFailOn = ['any', 'unsupported'] as const;
export const mapForms = ['map', 'litellm', 'models.dev'] as const;
export const diffFormats = ['terminal', 'md', 'json'] as const;

/** By verb, what it does with its other arguments. */
export const actions = {
  baseline: ['accept'],
  capabilities: ['export'],
  clients: ['try'],
  shapes: ['record', 'check', 'to-suite'],
} as const;
