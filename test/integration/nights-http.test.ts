import { expect, test } from 'vitest';
import { driveService, planOf, service } from '../../bench/drive-service.js';
import { modelNames, writeNights } from '../../bench/http-nights.js';
import type { Finding } from '../../src/decide/course.js';
import { coursesFor } from '../../src/decide/courses/courses.js';
import type { Outcome } from '../../src/judge/outcome.js';
import type { Ask, Plan } from '../../src/plan/ticket.js';
import type { RunEvent } from '../../src/journal/event.js';
import { tempFolder } from '../support/temp-folder.js';

const [models, cells] = [12, 60];
const coin = ({ kind, sample }: Ask) => `${kind} ${sample}`;

/** One night over HTTP: the findings, and the result of every trial. */
async function night(seed: number, dead: string | null = null) {
  const folder = await tempFolder();
  const { suite } = await writeNights(folder, models, cells, dead);
  const work = await planOf(suite, folder, modelNames(models), { seed, concurrency: 16 });
  const simulator = await service(folder, seed);
  try {
    return { plan: work.plan, events: await driveService(work, simulator) };
  } finally {
    await simulator.close();
  }
}

function findingsOf(events: readonly RunEvent[]): Map<string, Finding> {
  return new Map(events.flatMap((event) => (event.type === 'cell' ? [[event.cell, event.finding] as const] : [])));
}

/** The same night without HTTP: the courses replay the recorded results, and fail when they ask for one that is missing. */
function simulated(plan: Plan, events: readonly RunEvent[]): Map<string, Finding> {
  const coins = new Map<string, Map<string, Outcome>>();
  for (const event of events) {
    if (event.type !== 'trial') continue;
    const ofCell = coins.get(event.cell) ?? new Map<string, Outcome>();
    coins.set(event.cell, ofCell.set(coin(event.ask), event.outcome));
  }
  const courses = coursesFor({ plannedCells: plan.plannedCells });
  return new Map(
    plan.tickets.map((ticket) => {
      const left = new Map(coins.get(ticket.cell.key));
      const asking = courses[ticket.course](ticket);
      let step = asking.next();
      while (step.done !== true) {
        const outcomes = step.value.map((ask) => {
          const outcome = left.get(coin(ask));
          if (outcome === undefined) throw new Error(`${ticket.cell.key}: ${coin(ask)} was never asked over HTTP`);
          left.delete(coin(ask));
          return outcome;
        });
        step = asking.next(outcomes);
      }
      expect([...left.keys()], ticket.cell.key).toEqual([]);
      return [ticket.cell.key, step.value];
    }),
  );
}

const alarmsIn = (findings: ReadonlyMap<string, Finding>) =>
  [...findings].filter(([, { surprise }]) => surprise === 'confirmed').map(([key]) => key);

test('three nights without change over HTTP give the findings of the simulated nights and no alarm', async () => {
  for (const seed of [1, 2, 3]) {
    const { plan, events } = await night(seed);
    const findings = findingsOf(events);
    expect(findings.size).toBe(models * cells);
    expect(findings).toEqual(simulated(plan, events));
    expect(alarmsIn(findings)).toEqual([]);

    // The failure rate is that of the profiles: 2.5 % of the first trials of all cells, on average.
    const first = events.flatMap((event) => (event.type === 'trial' && event.ask.sample === 0 ? [event.outcome] : []));
    const failed = first.filter(({ passed }) => !passed);
    expect(failed.length / first.length).toBeGreaterThan(0.005);
    expect(failed.length / first.length).toBeLessThan(0.06);
    expect(new Set(failed.map((outcome) => outcome.class))).toEqual(new Set(['empty_content']));
  }
}, 40_000);

test('a night on which one cell always fails raises an alarm for that cell alone', async () => {
  const { plan, events } = await night(4, 'cell-7');
  const findings = findingsOf(events);
  expect(findings).toEqual(simulated(plan, events));
  expect(alarmsIn(findings)).toEqual([`nights/cell-7@bench/nights-${models - 1}`]);
}, 20_000);
