import { builtInMasked } from '../../masking/key-like.js';
import { checkOptions, type OptionTable } from '../../options/check-options.js';
import {
  aDate,
  aFlag,
  aList,
  aText,
  anObject,
  anything,
  listOf,
  oneOf,
  texts,
  type Kind,
} from '../../options/kinds.js';
import { checks, type ExpectSpec } from '../expectation.js';
import { outcomeClasses } from '../outcome-classes.js';
import { reasons } from '../reasons.js';
import { schemaProblem } from '../schema/read-schema.js';
import type { CheckRule } from './portable-engine.js';

/** What must come back. What is left out follows from the request, as in a suite. */
export interface Expect extends Omit<ExpectSpec, 'rules'> {
  readonly rules?: readonly CheckRule[];
}

export interface JudgeOptions {
  /** The body as sent, or its text; it may be left out for an exchange, which has it. */
  readonly request?: object | string;
  readonly expect?: Expect;
  /** For the log: where the request went, unless the answer knows. */
  readonly url?: string;
  /** For the log: when the request was sent. */
  readonly sentAt?: Date;
}

const options: OptionTable<JudgeOptions> = {
  request: anything,
  expect: anObject,
  url: aText,
  sentAt: aDate,
};

const aCall: Kind = {
  words: 'true, false, "optional" or the name of a tool',
  type: (value) => typeof value === 'boolean' || aText.type(value),
};
const expectation: OptionTable<Expect> = {
  tool_call: aCall,
  content: oneOf(['text', 'json', 'any']),
  schema: anything,
  finish_reason: texts,
  rejected: anObject,
  outcome: oneOf(outcomeClasses, 'an outcome class'),
  rules: aList,
  reasoning: oneOf(['present', 'absent']),
  skip: listOf({ words: checks.join(', '), type: (value) => checks.some((check) => check === value) }),
};

const rejected: OptionTable<NonNullable<Expect['rejected']>> = {
  status: listOf({ words: 'numbers', type: (value) => typeof value === 'number' }),
  reason: oneOf(reasons, 'a reason'),
  only: aFlag,
};

/** What is misspelt here would ask for nothing, so that any answer passes. */
export function checkJudgeOptions(given: JudgeOptions): void {
  checkOptions('`judge`', given, options);
  if (given.expect === undefined) return;
  checkOptions('the expectation `expect`', given.expect, expectation);
  checkSchemaOf(given.expect);
  if (given.expect.rejected !== undefined) checkOptions('`expect.rejected`', given.expect.rejected, rejected);
}

/** The program's own: it says nothing about the service. */
function checkSchemaOf({ schema }: Expect): void {
  const problem = schema === undefined || schema === null ? null : schemaProblem(schema);
  if (problem !== null) throw new TypeError(`\`expect.schema\` cannot be used: ${builtInMasked(problem)}`);
}
