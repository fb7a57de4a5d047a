import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { runParts } from '../../src/assemble/run-parts.js';
import { buildReport } from '../../src/matrix/build-report.js';
import { needNames } from '../../src/matrix/recommendations/needs.js';
import type { Recommendation, Report } from '../../src/matrix/report-format.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { openGathering } from '../../src/report/gather/gather.js';
import { drive } from '../../src/run/drive.js';
import { systemClock } from '../../src/run/clock.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import { aConfig, aTarget } from '../support/build.js';
import { loadBuiltin, modelWithSettings } from '../support/builtin-suites.js';
import { embeddedService, type EmbeddedService } from '../support/embedded-service.js';
import { follow, type Client, type Followed } from '../support/recommended-client.js';

const seed = 7;
const { settings: patches } = modelWithSettings('demo/any');

async function reportOn(service: EmbeddedService, tags: readonly string[]): Promise<Report> {
  const { suites } = await loadBuiltin('core');
  const models = [...service.profiles.keys()].map((id) => ({ ...modelWithSettings(`demo/${id}`), concurrency: 4 }));
  const limits = { concurrency: 64, retries: 2, timeoutSeconds: 60 };
  const config = aConfig([aTarget('demo', { baseUrl: 'simulator', limits, models })]);
  const { plan, problems } = makePlan({ config, suites, baseline: null, options: { tags, seed } });
  expect(problems).toEqual([]);
  const gathering = openGathering();
  const events = drive({
    ...runParts(plan, config.targets),
    plan,
    targets: new Map(
      config.targets.map((target) => [
        target.name,
        {
          ...{ config: target, simulator: true },
          send: (body, { headers }) => service.ask(body, { authorization: 'Bearer sk-run', ...headers }),
        },
      ]),
    ),
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal) },
    ...{ budget: config.budget, journal: null, recorded: null },
    run: { id: 'recommendations', tool: { name: 'chatspec', version: '0.0.0' }, node: '', shard: null },
  });
  for await (const event of events) gathering.onEvent(event);
  const behaviours = suites.flatMap((suite) => suite.behaviours);
  const catalogue = await catalogueOf(suites);
  return buildReport({ plan, config, behaviours, catalogue, gathered: gathering.gathered(), today: '2026-11-20' });
}

let service: EmbeddedService;
let report: Report;

beforeAll(async () => {
  const t0 = performance.now();
  service = await embeddedService(seed);
  report = await reportOn(service, (process.env['REC_TAGS'] ?? 'nightly').split(','));
  console.log('run', Math.round(performance.now() - t0), report.run.requests);
}, 600_000);

function clientOf(model: string): Client {
  return { service, model: model.replace(/^demo\//, ''), patches };
}

const forms: readonly Pick<Followed, 'form' | 'settings'>[] = [
  { form: 'chat', settings: {} },
  { form: 'json_schema', settings: {} },
  { form: 'json_object', settings: {} },
  ...['required', 'object', 'auto'].map((choice) => ({
    form: `tool_choice.${choice}`,
    settings: { tool_choice: choice },
  })),
];
const variants: readonly Followed['settings'][] = [
  {},
  { stream: 'false' },
  { json_word: 'required' },
  { max_tokens: '4096' },
  { thinking: 'disabled' },
  { strict: 'false' },
];

async function held(model: string, need: Recommendation['need']): Promise<string | null> {
  const fitting = forms
    .filter(({ form }) => (need === 'plain_text') === (form === 'chat'))
    .filter(({ form }) => need !== 'tool_call' || form?.startsWith('tool'));
  for (const variant of variants) {
    for (const { form, settings } of fitting) {
      const told = { need, form, settings: { ...settings, ...variant } };
      if ((await follow(clientOf(model), told, 30, true)).first === null) return JSON.stringify(told);
    }
  }
  return null;
}

test('figures', async () => {
  const t0 = performance.now();
  const bad: string[] = [];
  const missed: string[] = [];
  let followed = 0;
  for (const { id, reachable } of report.models) {
    if (!reachable) continue;
    for (const need of needNames) {
      const told = report.recommendations.find((one) => one.model === id && one.need === need);
      if (told === undefined || told.form === null) {
        const form = await held(id, need);
        if (form !== null) missed.push(`${id} ${need}: ${form}   [${told === undefined ? 'absent' : told.because}]`);
        continue;
      }
      followed += 1;
      const { conforming, first } = await follow(clientOf(id), told);
      if (conforming < 30)
        bad.push(
          `${id} ${need} ${told.form} ${JSON.stringify(told.settings)}: ${conforming} of 30 (${first ?? ''}) [${told.because}]`,
        );
    }
  }
  console.log(
    `followed ${followed}; bad ${bad.length}; missed ${missed.length}; ${Math.round(performance.now() - t0)} ms`,
  );
  console.log(bad.join('\n'));
  console.log('--- missed');
  console.log(missed.join('\n'));
}, 600_000);

test('dump', () => {
  const lines = report.recommendations.map(
    ({ model, need, form, settings, caveats, because }) =>
      `${model} ${need}: ${form} ${JSON.stringify(settings)} ${JSON.stringify(caveats)} :: ${because}`,
  );
  writeFileSync('/tmp/i9/rec-dump.txt', lines.join('\n'));
});

test('debug', () => {
  for (const id of ['sim-huge'])
    for (const c of report.cells.filter((c) => c.model === `demo/${id}` && c.verdict !== 'pass'))
      console.log(c.key, c.verdict, c.class, c.trials, c.detail);
  for (const id of ['sim-huge'])
    console.log(
      report.cells
        .filter((c) => c.model === `demo/${id}` && c.verdict === 'pass' && /json|schema/.test(c.key))
        .map((c) => c.key)
        .join('\n'),
    );
  for (const id of ['sim-enforce-none', 'sim-enforce-some', 'sim-enforce-refuse'])
    for (const c of report.cells.filter((c) => c.model === `demo/${id}` && /composite/.test(c.key)))
      console.log(c.key, c.enforcement, c.reason, c.detail, JSON.stringify(c.failures.map((f) => f.violations)));
});
