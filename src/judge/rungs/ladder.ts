import type { RungCheck } from '../context.js';
import { effect } from './effect.js';
import { finishReason } from './finish-reason.js';
import { parses } from './parses.js';
import { presence } from './presence.js';
import { readable } from './readable.js';
import { rules } from './rules.js';
import { conforms } from './conforms.js';
import { status } from './status.js';
import { transport } from './transport.js';

/** The order in which a client checks: the first rung that fails names the outcome. */
export const ladder: readonly RungCheck[] = [
  transport,
  status,
  readable,
  finishReason,
  presence,
  parses,
  conforms,
  rules,
  effect,
];
