import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as capabilities from '../../src/capabilities/index.js';
import * as chatspec from '../../src/index.js';
import * as judging from '../../src/judge/index.js';
import * as simulating from '../../src/simulator/index.js';
import * as parts from '../../src/parts.js';
import * as testing from '../../src/vitest/index.js';

type Options = Readonly<Record<string, unknown>>;

interface Taking {
  /** Without mistakes, as far as the function looks before anything happens. */
  readonly good: Options;
  readonly call: (options: never) => unknown;
  /** Each is one option with a value that it cannot have. */
  readonly wrong: readonly Options[];
}

/** A map that holds nothing. */
const noModels = { format: 'chatspec-capabilities/1', models: [], needs: [], capabilities: [] };

const plan = { cells: [], reserve: [], digests: {} };
const project = { config: {}, suites: [], baseline: null };

const taking: Readonly<Record<string, Taking>> = {
  loadProject: { good: { env: {} }, call: (o) => chatspec.loadProject('no.yaml', o), wrong: [{ env: 'CI' }] },
  readProject: { good: { env: {} }, call: (o) => chatspec.readProject('no.yaml', o), wrong: [{ envFolder: 7 }] },
  planRun: {
    good: { tags: ['smoke'] },
    call: (o) => chatspec.planRun(project as never, o),
    wrong: [
      ...[{ tags: 'smoke' }, { only: [7] }, { profile: 'smok' }, { trials: 0 }, { trials: '3' }, { seed: -1 }],
      ...[{ shard: '1/2' }, { shard: { index: 0, of: 2 } }, { shard: { index: 1 } }],
    ],
  },
  runProject: {
    good: { tags: ['smoke'], folder: 'runs/{stamp}' },
    call: (o) => chatspec.runProject(project as never, o),
    wrong: [{ folder: 7 }, { failOn: 'deviations' }, { concurrency: 0 }, { targets: {} }, { tags: 'smoke' }],
  },
  executePlan: {
    good: { targets: new Map() },
    call: (o) => parts.executePlan(plan as never, o),
    wrong: [{ targets: {} }, { reporters: {} }, { budget: 7 }],
  },
  makeReport: {
    good: { project, plan, gathering: {} },
    call: (o) => parts.makeReport(o),
    wrong: [{ today: new Date() }, { plan: undefined }],
  },
  renderContext: {
    good: {},
    call: (o) => parts.renderContext(o),
    wrong: [{ redact: '[0-9]' }, { color: 'always' }, { columns: 0 }],
  },
  'judge of chatspec/judge': {
    good: { request: {} },
    call: (o) => judging.judge({ status: 500, headers: {}, body: '' }, o),
    wrong: [
      ...[{ url: 7 }, { sentAt: '2026-11-22' }, { sentAt: new Date('') }, { expect: 'json' }, { expect: null }],
      ...[{ content: 'jsn' }, { tool_call: 7 }, { finish_reason: 'stop' }, { outcome: 'not_jsn' }].map((expect) => ({
        expect,
      })),
      ...[{ rules: [{ id: 'a', assert: 'x' }] }, { rules: {} }, { rejected: { status: 400 } }].map((expect) => ({
        expect,
      })),
      ...[{ rejected: { stauts: [400] } }, { reasoning: true }].map((expect) => ({ expect })),
    ],
  },
  chooseForm: {
    good: { model: 'a', need: 'structured' },
    call: (o) => capabilities.chooseForm(noModels as never, o),
    wrong: [{ model: 7 }, { model: undefined }, { need: 7 }, { now: 'never' }],
  },
  simulate: {
    good: {},
    call: (o) => simulating.simulate(o),
    wrong: [
      ...[{ port: 'abc' }, { port: -1 }, { port: 65_536 }, { port: 1.5 }, { seed: '1' }, { seed: NaN }, { log: -1 }],
      ...[{ profiles: 7 }, { profiles: [7] }, { samples: {} }, { now: 0 }, { onRequest: 'log' }, { onAnswer: {} }],
    ],
  },
  startSimulator: { good: {}, call: (o) => simulating.startSimulator(o), wrong: [{ port: 'abc' }, { profiles: [] }] },
  conformance: {
    good: { tags: ['smoke'] },
    call: (o) => testing.conformance(o),
    wrong: [{ tags: 'smoke' }, { concurrency: 0 }, { trials: 1.5 }, { config: 7 }, { profile: 'fast' }, { env: 'CI' }],
  },
};

/** They take files, plans, answers and texts, but no object of options. */
const takingNone = [
  ...['plannedTargets', 'runTargets', 'renderReport', 'readReport', 'loadCapabilities'],
  ...['checkSchema', 'schemaProblem', 'serverErrorAsFailure', 'readAnswer', 'tokenUse', 'retryAfterOf', 'classify'],
  ...['ChatspecError', 'UserError', 'StaleEvidence'],
];

async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

test('every public function is in one of the two lists', () => {
  const { executePlan, makeReport, renderContext } = parts;
  const inside = { executePlan, makeReport, renderContext };
  const exported = { ...chatspec, ...inside, ...capabilities, ...simulating, ...testing, ...judging };
  const functions = Object.entries(exported).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  const listed = [...Object.keys(taking), ...takingNone].map((name) => name.replace(/ of .*/, ''));
  expect([...new Set(functions)].filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !functions.includes(name))).toEqual([]);
});

describe.each(Object.entries(taking))('%s', (_name, { good, call, wrong }) => {
  test('refuses an option that it does not have, with the one that is near', async () => {
    for (const name of Object.keys({ ...wrong[0], ...good })) {
      const misspelt = `${name.slice(0, -1)}${name.at(-1) === 'z' ? 'a' : 'z'}`;
      const error = await refusalOf(() => call({ ...good, [misspelt]: good[name] } as never));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(`"${misspelt}"`);
      expect((error as Error).message).toContain(name);
    }
    const far = await refusalOf(() => call({ ...good, qqqqqqqq: 1 } as never));
    expect(String(far)).toContain('"qqqqqqqq"');
  });

  test.each(wrong.map((one) => [JSON.stringify(one), one] as const))('refuses %s', async (_text, one) => {
    const error = await refusalOf(() => call({ ...good, ...one } as never));
    expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
    const [name = ''] = Object.keys(one);
    const inner = Object.keys((one[name] as Options | undefined) ?? {});
    expect([name, ...inner].some((part) => (error as Error).message.includes(part))).toBe(true);
  });

  test('refuses what is no object', async () => {
    for (const given of ['abc', 7, null, []])
      expect(await refusalOf(() => call(given as never))).toBeInstanceOf(TypeError);
  });
});

describe('override', () => {
  let simulator: simulating.Simulator;
  beforeAll(async () => {
    simulator = await simulating.simulate();
    return () => simulator.close();
  });
  const failing = { respond: { status: 500 } };

  test.each<readonly [object, RegExp]>([
    [{ times: 0 }, /"times" must be a whole number of at least 1, not 0/],
    [{ times: -1 }, /not -1/],
    [{ times: 1.5 }, /not 1.5/],
    [{ times: NaN }, /not NaN/],
    [{ times: '2' }, /not "2"/],
    [{ time: 2 }, /has no "time"\. It has .*\btimes\b/],
    [{ unknown: 2 }, /has no "unknown". It has times/],
  ])('refuses %j', (options, message) => {
    expect(() => simulator.override({}, failing, options)).toThrow(message);
  });

  test('refuses a model that is not there, with the one that is near', () => {
    expect(() => simulator.override({ model: 'sim-refrence' }, failing)).toThrow('there is no model "sim-refrence"');
    expect(() => simulator.override({ model: ['sim-reference', 'x-y-z'] }, failing)).toThrow('"x-y-z"');
  });
});

test('a whole project may be handed on', async () => {
  const { project } = await chatspec.loadProject('chatspec.yaml');
  expect(parts.makePlan({ ...project, options: { tags: ['smoke'] } }).plan.cells.length).toBeGreaterThan(0);
  expect(chatspec.planRun(project, { tags: ['smoke'] }).plan.cells.length).toBeGreaterThan(0);
});

test('a value that may be a key is not told', async () => {
  const key = 'sk-abcdef1234567890';
  const error = await refusalOf(() => chatspec.loadProject('chatspec.yaml', { env: key as never }));
  expect(String(error)).not.toContain(key);
});

test('an undefined option is absent', async () => {
  const simulator = await simulating.simulate({ port: undefined, profiles: undefined } as object);
  onTestFinished(() => simulator.close());
  expect(simulator.models).toContain('sim-reference');
});
