import type { BaselineEntry, Expected } from '../../src/baseline/entries.js';
import type { Course, Finding } from '../../src/decide/course.js';
import type { Outcome } from '../../src/judge/outcome.js';
import type { Ask, Cell, Ticket } from '../../src/plan/ticket.js';
import type { Probe } from '../../src/suite/probe.js';
import { probeOf } from './plans.js';
import { modelOf } from './targets.js';

export const passing: Outcome = {
  passed: true,
  fault: false,
  class: null,
  reason: null,
  status: 200,
  detail: null,
  rung: 'correct',
  quirks: [],
  violations: [],
  value: undefined,
  reply: null,
  step: null,
  recovered: null,
};
export const failing: Outcome = { ...passing, passed: false, class: 'not_json', detail: 'prose', rung: 'present' };
export const faulty: Outcome = {
  ...passing,
  passed: false,
  fault: true,
  class: 'transport',
  status: null,
  detail: 'connection reset',
  rung: null,
};

export const until = { kind: 'decided', reliable: 0.95, broken: 0.7, error: 0.05, max: 40 } as const;
export const times = (count: number) => ({ kind: 'count', count }) as const;

export const expectedToPass: Expected = { kind: 'pass', threshold: null };
export function entry(over: Partial<BaselineEntry>): Expected {
  return {
    kind: 'entry',
    entry: {
      key: 'suite/probe@demo/model',
      verdict: 'fail',
      class: 'not_json',
      reason: null,
      status: 200,
      passed: null,
      total: null,
      date: '2026-01-01',
      note: null,
      link: null,
      provisional: false,
      threshold: null,
      ...over,
    },
  };
}

const steps: Probe['steps'] = [{ kind: 'ask', id: 'request', request: { messages: [] }, expect: {} }];

export function ticket(over: Partial<Ticket> = {}, ofProbe: Partial<Probe> = {}): Ticket {
  const cell: Cell = {
    key: 'suite/probe@demo/model',
    probe: probeOf('suite', 'probe', { title: 'Probe', capability: 'chat', steps, ...ofProbe }),
    point: {},
    model: modelOf('demo/model'),
    capability: 'chat',
    needs: [],
    selected: true,
    skip: null,
  };
  return { cell, expected: expectedToPass, course: 'fixed', trials: times(1), confirm: true, ...over };
}

/** Drives a course; `answer` gives each ask's outcome, undefined for one that is not answered any more. */
export function conclude(
  course: Course,
  of: Ticket,
  answer: (ask: Ask, index: number) => Outcome | undefined,
): { finding: Finding; asks: Ask[]; batches: number[] } {
  const asks: Ask[] = [];
  const batches: number[] = [];
  const asking = course(of);
  let step = asking.next();
  while (step.done !== true) {
    const outcomes: Outcome[] = [];
    let over = false;
    for (const ask of step.value) {
      const outcome = over ? undefined : answer(ask, asks.length);
      asks.push(ask);
      if (outcome === undefined) over = true;
      else outcomes.push(outcome);
    }
    batches.push(step.value.length);
    step = asking.next(outcomes);
  }
  return { finding: step.value, asks, batches };
}

/** Answers from a list, and afterwards with its last member. */
export function inTurn(...outcomes: readonly Outcome[]): (ask: Ask, index: number) => Outcome {
  return (_ask, index) => outcomes[Math.min(index, outcomes.length - 1)] ?? passing;
}
