import type { ModelConfig } from '../config/config.js';
import type { RunRequest } from '../journal/read-journal.js';
import type { Json } from '../json/json.js';

/** Numbers the plain requests of a model that belong to no trial, so that none that is recorded is asked again. */
export interface ControlNumbers {
  readonly next: () => number;
  /** The newest was not asked: the next gets its number. */
  readonly takeBack: () => void;
}

export function createControlNumbers(): ControlNumbers {
  let given = 0;
  return {
    next() {
      given += 1;
      return given - 1;
    },
    takeBack: () => void (given -= 1),
  };
}

/** The body of a model's plain request. */
export type ControlBody = (model: ModelConfig) => Json;

interface ControlledModel {
  readonly model: ModelConfig;
  readonly controls: ControlNumbers;
}

/** A plain request outside of any trial, which shows whether a model answers at all. */
export function nextControl({ model, controls }: ControlledModel, controlBody: ControlBody): RunRequest {
  const send = { purpose: 'control', step: 'control', attempt: controls.next(), body: controlBody(model) } as const;
  return { model: model.key, cell: null, ask: null, send };
}
