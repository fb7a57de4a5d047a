import { readAnswer } from '../chat/read-answer.js';
import type { Engine } from './engine.js';
import { evaluateAll } from './jsonata/jsonata-engine.js';
import { checkSchemaWith } from './schema/conformance.js';
import type { Patience } from './schema/patience.js';

/** The engine of a run. Its checks throw {@link OutOfPatience} where they would take longer than they may for now. */
export function nodeEngine(patience: Patience): Engine {
  return {
    read: readAnswer,
    checkSchema: (value, schema) => checkSchemaWith(patience, value, schema),
    evaluate: (rules, input) =>
      evaluateAll(
        patience,
        rules.map(({ assert }) => assert),
        input,
      ),
  };
}
