import { runParts } from '../../src/assemble/run-parts.js';
import { credentialsOf } from '../../src/config/index.js';
import { buildReport } from '../../src/matrix/build-report.js';
import type { Gathered } from '../../src/matrix/gathered.js';
import type { Report } from '../../src/matrix/report-format.js';
import { openGathering } from '../../src/report/gather/gather.js';
import { drive } from '../../src/run/drive.js';
import type { JournalLine, RunEvent } from '../../src/journal/event.js';
import type { RunTarget } from '../../src/run/target-state.js';
import type { Plan } from '../../src/plan/ticket.js';
import { replay } from '../../src/run/replay.js';
import { systemClock } from '../../src/run/clock.js';
import { startSimulator } from '../../src/simulator/index.js';
import type { Behaviour } from '../../src/suite/probe.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import { openTransport } from '../../src/transport/open-transport.js';
import { keyVariable, type LabelPlan } from './label-plan.js';

/** A finished run on the embedded service. */
export interface LabelRun {
  readonly work: LabelPlan;
  readonly gathered: Gathered;
}

/** A run with what is needed to judge it again. */
export interface RecordedLabelRun extends LabelRun {
  readonly journal: readonly JournalLine[];
}

/** Limit on an answer's body in bytes, low to save time: oversized answers exceed any limit. */
const maxBodyBytes = 1 << 20;

/** Runs the plan on the embedded service. */
export async function runLabels(work: LabelPlan): Promise<LabelRun> {
  return { work, gathered: await gatheredFrom(work, () => undefined) };
}

/** The same, and keeps every exchange. */
export async function recordLabels(work: LabelPlan): Promise<RecordedLabelRun> {
  const journal: JournalLine[] = [];
  const gathered = await gatheredFrom(work, (event) => {
    if (event.type === 'run_started' || event.type === 'exchange' || event.type === 'run_finished') journal.push(event);
  });
  return { work, gathered, journal };
}

async function gatheredFrom(work: LabelPlan, onEvent: (event: RunEvent) => void): Promise<Gathered> {
  const { plan, config } = work;
  const simulator = await startSimulator({ seed: plan.seed });
  const transports = config.targets.map((target) => ({
    target,
    transport: openTransport(target, credentialsOf(target, { [keyVariable]: 'sk-labels' }), {
      baseUrl: simulator.baseUrl,
      maxBodyBytes,
    }),
  }));
  const targets = new Map<string, RunTarget>(
    transports.map(({ target, transport }) => [
      target.name,
      { config: target, simulator: true, send: (body, extra, signal) => transport.send(body, extra, signal) },
    ]),
  );
  try {
    const events = drive({
      ...runParts(plan, config.targets),
      ...{ plan, targets, clock: systemClock, budget: config.budget, journal: null, recorded: null },
      run: { id: 'labels', tool: { name: 'chatspec', version: '0.0.0' }, node: '', shard: null },
    });
    return await seen(events, onEvent);
  } finally {
    await Promise.all(transports.map(({ transport }) => transport.close()));
    await simulator.close();
  }
}

/** The name of a model of the embedded service, whatever its target. */
export const profileOf = (model: string): string => model.slice(model.indexOf('/') + 1);

/** The part of a run that is about these profiles. */
export function runOf({ work: { plan, config }, gathered }: LabelRun, profiles: ReadonlySet<string>): LabelRun {
  const isOf = (model: string): boolean => profiles.has(profileOf(model));
  const targets = config.targets.map((target) => ({
    ...target,
    models: target.models.filter(({ key }) => isOf(key)),
  }));
  const part: Plan = {
    ...plan,
    tickets: plan.tickets.filter(({ cell }) => isOf(cell.model.key)),
    reserve: plan.reserve.filter(({ ticket }) => isOf(ticket.cell.model.key)),
  };
  return { work: { plan: part, config: { ...config, targets } }, gathered };
}

/** The same run with its exchanges judged again by the present judge. */
export async function rejudgeLabels({ work, journal }: RecordedLabelRun): Promise<LabelRun> {
  const { plan, config } = work;
  const events = replay(journal, {
    ...runParts(plan, config.targets),
    ...{ plan, targets: config.targets },
  });
  return { work, gathered: await seen(events) };
}

export async function reportOf({ work, gathered }: LabelRun, behaviours: readonly Behaviour[]): Promise<Report> {
  const { plan, config } = work;
  const catalogue = await catalogueOf([]);
  return buildReport({ ...{ plan, config, behaviours, catalogue, gathered }, today: '2026-11-20' });
}

async function seen(
  events: AsyncIterable<RunEvent>,
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<Gathered> {
  const gathering = openGathering();
  for await (const event of events) {
    gathering.onEvent(event);
    onEvent(event);
  }
  return gathering.gathered();
}
