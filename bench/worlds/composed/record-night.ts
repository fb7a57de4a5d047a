import type { RunReporter } from '../../../src/assemble/execute-plan.js';
import type { ExchangeRecord, RunEvent } from '../../../src/journal/event.js';
import type { Situation, WorldModel } from './model.js';
import { struckHeader } from './profile.js';
import { situationOf } from './situation.js';

/** One exchange, as the world saw it: no judgement of chatspec is part of it. */
export interface Asked extends Pick<ExchangeRecord, 'cell' | 'ask' | 'purpose' | 'attempt' | 'step'> {
  readonly model: string;
  readonly at: string;
  readonly situation: Situation;
  /** Indexes of the modes that struck. */
  readonly struck: readonly number[];
}

export interface Recorded {
  /** By id. */
  readonly exchanges: ReadonlyMap<string, Asked>;
  /** By cell: the exchanges of each trial that was judged, in order. */
  readonly trials: ReadonlyMap<string, readonly (readonly Asked[])[]>;
}

/** Listens to a run and keeps what the world needs in order to say what is true of it. */
export function recordNight(models: readonly WorldModel[]): RunReporter & { readonly recorded: () => Recorded } {
  const byId = new Map(models.map((model) => [model.id, model]));
  const exchanges = new Map<string, Asked>();
  const trials = new Map<string, (readonly Asked[])[]>();
  const onExchange = ({ id, exchange, ...record }: ExchangeRecord): void => {
    const { cell, ask, purpose, attempt, step } = record;
    const model = byId.get(record.model.slice(record.model.indexOf('/') + 1));
    if (model === undefined) throw new Error(`there is no model ${record.model}`);
    const { headers } = exchange.answer;
    exchanges.set(id, {
      ...{ cell, ask, purpose, attempt, step, model: model.id, at: exchange.timing.started_at },
      situation: situationOf(exchange.request.body, model),
      struck: model.modes.flatMap((_mode, index) => (struckHeader(index) in headers ? [index] : [])),
    });
  };
  const onTrial = ({ cell, exchanges: ids }: Extract<RunEvent, { type: 'trial' }>): void => {
    const asked = ids.map((id) => exchanges.get(id)!);
    trials.set(cell, [...(trials.get(cell) ?? []), asked]);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'exchange') onExchange(event);
      if (event.type === 'trial') onTrial(event);
    },
    recorded: () => ({ exchanges, trials }),
  };
}
