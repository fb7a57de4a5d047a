import type { ModelConfig } from '../config/config.js';
import type { RunRequest } from '../journal/recorded-exchanges.js';
import type { Json } from '../json/json.js';
import type { Requester } from './request-result.js';
import { newTrial } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** A plain request outside of any trial that shows what a model answers at all, and its repetitions. */
export type Question = (attempt: number) => RunRequest;

type ControlBody = (model: ModelConfig) => Json;

export function question(state: ModelState, controlBody: ControlBody): Question {
  state.questions += 1;
  return requestOf(state, state.questions, controlBody);
}

function requestOf({ model }: ModelState, number: number, controlBody: ControlBody): Question {
  const body = controlBody(model);
  return (attempt) => ({
    ...{ model: model.key, cell: null, ask: null },
    send: { purpose: 'control', step: `question-${number}`, attempt, body },
  });
}

/** Of the plain request that opens a model. */
export const openingStep = 'control';

/** Whether a request is such a question: what comes of it is for whoever asked it. */
export const isQuestion = ({ cell, send }: RunRequest): boolean => cell === null && send.step !== openingStep;

/** Takes the questions of an earlier session out of the journal, which are not asked again. */
export async function takeRecordedQuestions(
  state: ModelState,
  request: Requester,
  controlBody: ControlBody,
): Promise<void> {
  for (;;) {
    const recorded = requestOf(state, state.questions + 1, controlBody);
    let attempt = 0;
    while ((await request.lookUp(state, recorded(attempt), newTrial())) !== null) attempt += 1;
    if (attempt === 0) return;
    state.questions += 1;
  }
}
