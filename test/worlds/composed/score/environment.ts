import type { ReportCell } from '../../../../src/matrix/report-format.js';
import { inEnvironment, type Incident } from '../environment.js';
import { runNight, type Environment } from '../run-world.js';
import { plainCells } from './plain-cells.js';
import { scoreOf, type Mistake, type StoryScorer } from './score.js';

/** Each night takes as long as the calm one: a few models are enough for it. */
const few = 4;

const failures = ['http_500', 'http_502', 'http_503', 'reset', 'timeout'] as const;

/** What a night may bring; all times in seconds. */
const nights: Readonly<Record<string, readonly Incident[]>> = {
  'outages of 2 s': [20, 50, 90].map((from) => ({ from, seconds: 2, share: 1, failures: ['http_500'] })),
  'an outage of 20 s': [{ from: 25, seconds: 20, share: 1, failures: ['http_500', 'reset'] }],
  'a bad minute': [{ from: 20, seconds: 60, share: 0.3, failures: ['http_500'] }],
  'a mixed minute': [{ from: 20, seconds: 60, share: 0.3, failures }],
};

/** A cell fails only where a mode of its model struck, and a model can be reached, whatever the environment does. */
export const environment: StoryScorer = async ({ models, suites }) => {
  const cases: Mistake[][] = [];
  for (const [name, incidents] of Object.entries(nights)) {
    const night = await runNight(models.slice(0, few), suites, { night: 7, environment: spoiling(incidents) });
    const struckIn = new Map(plainCells(night).map(({ cell, trials }) => [cell.key, trials.some(struck)]));
    cases.push(
      night.report.cells
        .filter(({ key }) => struckIn.has(key))
        .map((cell) => turnedBy(name, cell, struckIn.get(cell.key) === true)),
      night.report.models
        .filter(({ reachable }) => !reachable)
        .map(({ id }) => ({ at: id, said: 'it cannot be reached', truth: `only ${name}` })),
    );
  }
  return [scoreOf('environment', cases.flat(), (one) => (one.said === '' ? null : one))];
};

const struck = ({ struck: modes }: { readonly struck: readonly unknown[] }): boolean => modes.length > 0;

function turnedBy(name: string, { key, verdict, class: kind, status }: ReportCell, isOwn: boolean): Mistake {
  const fails = verdict === 'fail' || verdict === 'flaky';
  return { at: key, said: fails && !isOwn ? `${verdict} ${kind ?? ''} ${status ?? ''}` : '', truth: `only ${name}` };
}

function spoiling(incidents: readonly Incident[]): Environment {
  return (send, clock) => {
    // The service itself takes its time.
    return inEnvironment(send, { seed: 11, latency: [0, 0], incidents }, clock).send;
  };
}
