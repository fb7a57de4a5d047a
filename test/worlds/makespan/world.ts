import { createHash } from 'node:crypto';
import type { ModelConfig, TargetConfig } from '../../../src/config/config.js';
import type { Ask, Ticket } from '../../../src/plan/ticket.js';
import { aPlan, aTarget, aModel, failing, passing, countedTrials, sequentialTrials } from '../../support/build.js';
import { runTicket } from '../../support/fake-run.js';
import type { Outcome } from '../../../src/judge/outcome.js';
import type { Plan } from '../../../src/plan/ticket.js';

/** The cells of a model. */
export interface CellSpec {
  readonly name: string;
  /** `find` and `decided` ask one batch after the other. */
  readonly course: 'fixed' | 'decided' | 'find';
  /** Of a fixed course. */
  readonly trials?: number;
  /** Requests of a trial, one after the other. */
  readonly steps?: number;
  /** How much longer than usual its answers take. */
  readonly slowness?: number;
  /** Of its trials, this share passes. */
  readonly passes?: number;
  /** Names of cells. */
  readonly needs?: readonly string[];
}

export interface ModelSpec {
  /** Milliseconds that an answer takes on average. */
  readonly latency: number;
  readonly concurrency?: number;
  readonly cells: readonly CellSpec[];
}

export interface TargetSpec {
  readonly name: string;
  /** Targets with the same name of a key share their limits. */
  readonly key: string;
  readonly limits: Partial<TargetConfig['limits']>;
  readonly models: readonly ModelSpec[];
}

/** Services of known speed and what a run asks of them. What a request meets depends on nothing but itself. */
export interface World {
  readonly name: string;
  readonly targets: readonly TargetConfig[];
  readonly keys: ReadonlyMap<string, string>;
  readonly plan: Plan;
  /** Milliseconds; a null cell is the opening control. */
  readonly duration: (request: Requested) => number;
  readonly tokens: number;
  readonly stepsOf: (ticket: Ticket) => number;
  readonly outcome: (ticket: Ticket, ask: Ask) => Outcome;
}

export interface Requested {
  readonly model: string;
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly step: number;
}

/** Of each request: few enough that the estimates of tokens, which allow for more, are close. */
const tokensPerRequest = 600;
const find = { axis: 'max_tokens', from: 16, to: 16_384, tolerance: 0.125 };

/** @param tokens that each request takes */
export function worldOf(name: string, specs: readonly TargetSpec[], tokens = tokensPerRequest): World {
  const models = new Map<string, ModelSpec>();
  const cells = new Map<string, CellSpec>();
  const tickets: Ticket[] = [];
  const targets = specs.map((target) => {
    const configs = target.models.map((spec, index) => {
      const model = aModel(`${target.name}/m${index}`, { concurrency: spec.concurrency ?? null });
      models.set(model.key, spec);
      for (const cell of spec.cells) {
        const ticket = ticketOf(model, cell);
        cells.set(ticket.cell.key, cell);
        tickets.push(ticket);
      }
      return model;
    });
    const limits = { retries: 0, timeoutSeconds: 60, ...target.limits };
    return aTarget(target.name, { baseUrl: 'http://fake/v1', apiKeyEnv: target.key, limits, models: configs });
  });
  return {
    name,
    targets,
    keys: new Map(specs.map((target) => [target.name, target.key])),
    plan: aPlan(tickets),
    tokens,
    stepsOf: ({ cell }) => cells.get(cell.key)?.steps ?? 1,
    duration: (request) => {
      const { latency } = models.get(request.model) ?? { latency: 0 };
      const slowness = request.cell === null ? 1 : (cells.get(request.cell)?.slowness ?? 1);
      return Math.round(latency * slowness * (0.5 + chance(nameOf(request))));
    },
    outcome: (ticket, { patch, kind, sample }) => {
      const { passes = 1, course } = cells.get(ticket.cell.key) ?? {};
      const enough = course !== 'find' || Number(patch['max_tokens']) >= 700;
      return enough && chance([ticket.cell.key, kind, sample, 'outcome']) < passes ? passing : failing;
    },
  };
}

function ticketOf(model: ModelConfig, { name, course, trials = 1, needs = [] }: CellSpec): Ticket {
  const changes = { needs: needs.map((need) => `s/${need}@${model.key}`) };
  switch (course) {
    case 'fixed':
      return runTicket(model, name, trials, changes);
    case 'decided':
      return { ...runTicket(model, name, 1, changes), course: 'sequential', trials: sequentialTrials };
    case 'find':
      return runTicket(model, name, 1, { ...changes, course: 'find', trials: countedTrials(trials), probe: { find } });
  }
}

const nameOf = ({ model, cell, ask, step }: Requested) => [model, cell, ask?.kind, ask?.patch, ask?.sample, step];

/** In [0, 1), the same for the same request whenever it is sent. */
function chance(of: unknown): number {
  return createHash('sha256').update(JSON.stringify(of)).digest().readUInt32BE(0) / 2 ** 32;
}
