import type { ModelConfig } from '../../src/config/config.js';
import type { Cell, Plan, Ticket } from '../../src/plan/ticket.js';
import type { Probe } from '../../src/suite/probe.js';

const place = { file: 'suite.yaml', line: 1, column: 1 };

export function probeOf(suite: string, name: string, changes: Partial<Probe> = {}): Probe {
  return {
    suite,
    name,
    title: name,
    capability: name,
    tags: [],
    needs: [],
    axes: [],
    combine: 'product',
    fill: 0,
    split: [],
    exclude: [],
    include: [],
    steps: [],
    when: [],
    samples: [],
    vars: {},
    trials: null,
    retry: null,
    find: null,
    enforce: null,
    place,
    ...changes,
  };
}

/** A ticket for `s/NAME` on a model, with so many trials. */
export function ticketOf(model: ModelConfig, name: string, count = 1, changes: Partial<Cell> = {}): Ticket {
  return {
    cell: {
      key: `s/${name}@${model.key}`,
      probe: probeOf('s', name),
      point: {},
      model,
      capability: name,
      needs: [],
      selected: true,
      skip: null,
      ...changes,
    },
    expected: { kind: 'new' },
    course: 'fixed',
    trials: { kind: 'count', count },
    confirm: false,
  };
}

export function planOf(tickets: readonly Ticket[], changes: Partial<Plan> = {}): Plan {
  return {
    tickets,
    reserve: [],
    digest: 'plan-1',
    digests: { config: 'c', suites: 's', schemas: 'x' },
    profile: 'standard',
    seed: 7,
    plannedCells: tickets.length,
    ...changes,
  };
}
