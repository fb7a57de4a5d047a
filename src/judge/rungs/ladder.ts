import type { RungCheck } from '../context.js';
import type { Check } from '../expectation.js';
import { effect } from './effect.js';
import { finishReason } from './finish-reason.js';
import { parses } from './parses.js';
import { presence } from './presence.js';
import { readable } from './readable.js';
import { rules } from './rules.js';
import { conforms } from './conforms.js';
import { status } from './status.js';
import { transport } from './transport.js';

export const ladder: Readonly<Record<Check, RungCheck>> = {
  transport,
  status,
  readable,
  finish_reason: finishReason,
  presence,
  json: parses,
  schema: conforms,
  rules,
  effect,
};
