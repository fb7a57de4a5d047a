import type { Answer } from '../chat/exchange.js';
import type { Reading } from '../chat/reply.js';
import type { Json } from '../json/json.js';
import type { Rule } from './expectation.js';
import type { Evaluated } from './jsonata/jsonata-engine.js';
import type { Conformance } from './schema/check-alone.js';

/**
 * What the ladder needs and cannot do everywhere: a run checks schemas with compiled code and rules with JSONata, both
 * under a time limit of Node; an application may stand where nothing but plain JavaScript runs.
 */
export interface Engine {
  /** In a run, others read the answer as well. */
  readonly read: (answer: Answer) => Reading;
  readonly checkSchema: (value: Json, schema: Json) => Conformance;
  /** What each of the rules says of the same value. */
  readonly evaluate: (rules: readonly Rule[], input: Json) => readonly Evaluated[];
}
