import type { RungCheck } from './context.js';
import { effect } from './rung-effect.js';
import { finishReason } from './rung-finish-reason.js';
import { json } from './rung-json.js';
import { presence } from './rung-presence.js';
import { readable } from './rung-readable.js';
import { rules } from './rung-rules.js';
import { schema } from './rung-schema.js';
import { status } from './rung-status.js';
import { transport } from './rung-transport.js';

/** The client check order: the first rung that an answer does not climb names its outcome. */
export const ladder: readonly RungCheck[] = [
  transport,
  status,
  readable,
  finishReason,
  presence,
  json,
  schema,
  rules,
  effect,
];
