// How many recorded answers are judged in a second of CPU, over the least that any client does with them: JSON.parse and compiled
// Ajv. `--write` puts the table into docs/performance.md.
import { judge } from '../src/judge/index.js';
import { judge as judgeInRun } from '../src/judge/judge.js';
import { parserOf } from './judge/parse-and-validate.js';
import { recordedExchanges, type Recorded } from './judge/recorded.js';
import { measuredOn, median } from './measured.js';
import { markdownTable, printTable } from './print-table.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

/** What is done with each answer. Whatever can be kept between two answers to one request is made once, on every side. */
type Side = (recorded: Recorded) => () => unknown;

/** As it arrives: an answer that was read once is never read again, so each call gets one of its own. */
const arriving = ({ status, headers, body }: Recorded) => ({ status, headers, body: [body], failure: null });

const bare: Side = parserOf;
const sides: Readonly<Record<string, Side>> = {
  /** The outcome of an exchange under a complete expectation. */
  outcome: (recorded) => {
    const { request, expectation } = recorded;
    const values = { vars: {}, request, steps: {} };
    return () => judge(exchangeOf(recorded), expectation, values);
  },
  /** What an application writes: what to expect follows from the request, and the judgement says what to log and to do. */
  'with log and advice': (recorded) => {
    const options = { request: recorded.request as object };
    return () => judge(arriving(recorded), options);
  },
  /** The engine of a run: schemas are checked with code that Ajv compiled. */
  'in a run': (recorded) => {
    const { request, expectation } = recorded;
    const values = { vars: {}, request, steps: {} };
    return () => judgeInRun(exchangeOf(recorded), expectation, values);
  },
};

const timing = { started_at: '2026-05-01T00:00:00.000Z', headers_ms: 1, total_ms: 2 };
const exchangeOf = (recorded: Recorded) => ({
  request: { url: 'http://127.0.0.1/v1/chat/completions', headers: {}, body: recorded.request },
  answer: arriving(recorded),
  timing,
});

const isSuccess = ({ status }: Recorded): boolean => status < 300;
const isStream = ({ body }: Recorded): boolean => body.startsWith('data:');
// A request that is no object is no request, and an application is told so.
const recordings = recordedExchanges().filter(({ request }) => typeof request === 'object' && !Array.isArray(request));
const groups = {
  plain: recordings.filter((one) => isSuccess(one) && !isStream(one)),
  streamed: recordings.filter((one) => isSuccess(one) && isStream(one)),
  refused: recordings.filter((one) => !isSuccess(one)),
};

const rounds = 7;
/** Of one side in one round, in milliseconds of CPU: what else the machine does makes the clock useless. */
const atLeast = 150;
const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Answers a second of CPU: all of a group, again and again until the time is up. */
function speedOf(works: readonly (() => unknown)[]): number {
  let done = 0;
  const begun = cpuMilliseconds();
  let elapsed = 0;
  while (elapsed < atLeast) {
    for (const work of works) work();
    done += works.length;
    elapsed = cpuMilliseconds() - begun;
  }
  return (1000 * done) / elapsed;
}

const head = ['recorded answers', 'parse and validate', ...Object.keys(sides)];
const rows = Object.entries(groups).map(([name, group]) => {
  const speeds = new Map<string, number[]>(['bare', ...Object.keys(sides)].map((side) => [side, []]));
  const works = [['bare', bare] as const, ...Object.entries(sides)].map(
    ([side, prepare]) => [side, group.map(prepare)] as const,
  );
  // In turns, so that what else the machine does meets all sides. The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [side, all] of works) {
      const speed = speedOf(all);
      if (round > 0) speeds.get(side)?.push(speed);
    }
  }
  const least = speeds.get('bare') ?? [];
  const cells = Object.keys(sides).map((side) => {
    const all = speeds.get(side) ?? [];
    const ratio = median(all.map((speed, round) => speed / (least[round] ?? Number.NaN)));
    track(`judge/${name}, ${side}`, ratio, 'higher is better');
    return `${perSecond(median(all))} (${ratio.toFixed(2)})`;
  });
  const bytes = group.reduce((sum, { body }) => sum + body.length, 0) / group.length;
  return [`${name}: ${group.length}, ${(bytes / 1000).toFixed(1)} kB each`, perSecond(median(least)), ...cells];
});

function perSecond(speed: number): string {
  return `${Math.round(speed).toLocaleString('en')}/s`;
}

printTable(head, rows);
const machine = measuredOn(rounds);
console.log(machine);
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'judge', `${markdownTable(head, rows)}\n\n${machine}`);
}
