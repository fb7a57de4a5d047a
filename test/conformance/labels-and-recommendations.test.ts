import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Behaviour, type Report } from '../../src/index.js';
import { openTransport } from '../../src/parts.js';
import { needs as needNames } from '../../src/capabilities/index.js';
import { simulate, type Fault, type Simulator } from '../../src/simulator/index.js';
import {
  eachOf,
  labelProject,
  namesNightly,
  reportOf,
  runLabel,
  runNightly,
  settings as patches,
  type LabelRun,
} from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';
import { follow, type Client, type Followed, type Recommendation } from '../support/recommended-client.js';
import { testLabels } from './label-tests.js';

type ReportBehaviour = Report['behaviours'][number];

const seed = 7;

/** Models that no profile of the package resembles. */
const further: Readonly<Record<string, readonly (Partial<Fault> & Pick<Fault, 'do'>)[]>> = {
  'odd-schema-flaky': [
    { when: { response_format: ['json_schema'], rate: 0.3 }, do: { break_document: 'extra_member' } },
  ],
  'odd-object-thinks-aloud': [
    { when: { response_format: ['json_object'], thinking: false }, do: { prefix: 'Sure! ' } },
  ],
  'odd-large-caps-refused': [
    {
      when: { max_tokens_from: 4000, has: ['max_tokens'] },
      do: { respond: { status: 400, body: refusal('max_tokens') } },
    },
  ],
  'odd-schema-only-streamed': [
    { when: { response_format: ['json_schema'], stream: false }, do: { content: '' } },
    { when: { tools: true }, do: { respond: { status: 400, body: refusal('tools') } } },
  ],
  'odd-greeted-in-prose': [
    { when: { tool_choice: ['required'], prompt: 'hello|hi |morning|how are' }, do: { drop_calls: 'Hello!' } },
  ],
  'odd-mute': [{ when: { response_format: ['none'], tools: false, prompt: '^(?!.*say hello)' }, do: { content: '' } }],
};

function refusal(param: string) {
  return { error: { message: `${param} is not accepted`, type: 'invalid_request_error', param, code: null } };
}

/** Needs for which nothing is recommended although some form would hold, and why that is right. */
const missed: Readonly<Record<string, string>> = {
  'sim-choice-required-refused tool_call':
    'it takes only auto, under which no probe demands a call, since none must come',
};

let report: Report;
let rules: readonly Behaviour[];
/** By profile. */
const runs = new Map<string, LabelRun>();
const reports = new Map<string, Report>();

let following: Simulator;
let ask: Client['ask'];

/** One night serves both, since asking two hundred profiles takes most of the time. */
beforeAll(async () => {
  const labels = readLabels();
  const profiles = Object.entries(further).map(([id, faults]) => ({ id, extends: 'sim-reference', faults }));
  const service = await simulate({ profiles: { profiles } });
  const project = await labelProject(labels, Object.keys(further));
  rules = project.suites.flatMap((suite) => suite.behaviours);
  const nightly = (label: Label): boolean => namesNightly(project, label);

  // Time-outs of one second need a service that is not busy otherwise.
  await eachOf(labels.filter(hasShortTimeout), 1, async (label) => {
    runs.set(label.profile, await runLabel(service, project, label, 'named'));
  });
  const others = labels.filter((label) => !hasShortTimeout(label));
  const night = await runNightly(service, project, [...others.map(({ profile }) => profile), ...Object.keys(further)]);
  for (const { profile } of others.filter(nightly)) runs.set(profile, night);
  await eachOf(
    others.filter((label) => !nightly(label)),
    8,
    async (label) => {
      runs.set(label.profile, await runLabel(service, project, label, 'nightly'));
    },
  );
  report = await reportOf(night);
  for (const [profile, run] of runs) reports.set(profile, run === night ? report : await reportOf(run));
  await service.close();

  following = await simulate({ profiles: { profiles }, seed, now: () => 1_795_000_000_000 });
  const target = project.config.targets.find(({ name }) => name === 'demo')!;
  const transport = openTransport(target, { headers: {}, secrets: [] }, { baseUrl: following.baseUrl });
  ask = (body, headers) => transport.send(body, { headers }, new AbortController().signal);
});

afterAll(() => following.close());

const hasShortTimeout = (label: Label): boolean => label.with?.timeout_s !== undefined;

testLabels(() => ({ reports, rules, runs }));

const nameOf = (model: string): string => model.replace(/^\w+\//, '');
const clientOf = (model: string): Client => ({ ask, model: nameOf(model), patches });
/** What a model says whose cache mixes up requests depends on who asked first. */
const steady = () => report.recommendations.filter(({ model }) => model !== 'demo/sim-cached-prompt');
const adviceFor = (model: string, need: Recommendation['need']) =>
  report.recommendations.find((one) => nameOf(one.model) === model && one.need === need);

describe('a client that follows a recommendation to the letter', () => {
  test('gets a conforming answer to 30 requests of 30, on every model and for every need', async () => {
    const broken: string[] = [];
    await eachOf(steady(), 16, async (told) => {
      if (told.form === null) return;
      const { conforming, total, first } = await follow(clientOf(told.model), told);
      const what = `${nameOf(told.model)} ${told.need}: ${told.form} ${JSON.stringify(told.settings)}`;
      if (conforming < total) broken.push(`${what}: ${conforming} of ${total}, ${first ?? ''}`);
    });
    expect(broken).toEqual([]);
    expect(report.recommendations.filter(({ form }) => form !== null).length).toBeGreaterThan(600);
  });

  test('hears of none only where no form holds', async () => {
    const held: string[] = [];
    await eachOf(steady(), 16, async ({ model, need, form }) => {
      if (form === null && (await holding(model, need)) !== null) held.push(`${nameOf(model)} ${need}`);
    });
    expect(held.sort()).toEqual(Object.keys(missed).sort());
  });

  test('hears about every need of which a form was judged', () => {
    const judged = new Set(
      report.cells.filter(({ trials }) => trials.total > 0).map(({ model, capability }) => `${model} ${capability}`),
    );
    const forms = {
      plain_text: 'chat',
      structured: 'json_schema',
      free_json: 'json_object',
      tool_call: 'tool_choice.required',
    };
    const silent = report.models.flatMap(({ id }) =>
      needNames.filter((need) => judged.has(`${id} ${forms[need]}`) && adviceFor(nameOf(id), need) === undefined),
    );
    expect(silent).toEqual([]);
  });

  test.each<[string, Followed]>([
    ['sim-json-word', { need: 'structured', form: 'json_schema', settings: {} }],
    ['sim-budget', { need: 'structured', form: 'json_schema', settings: {} }],
    ['sim-stream-cut-early', { need: 'plain_text', form: 'chat', settings: {} }],
    ['sim-wrong-function', { need: 'tool_call', form: 'tool_choice.required', settings: { tool_choice: 'required' } }],
    ['sim-missing-member', { need: 'structured', form: 'json_schema', settings: {} }],
  ])('would see that other advice breaks on %s', async (model, told) => {
    const { conforming, total } = await follow(clientOf(model), told);
    expect(conforming).toBeLessThan(total);
  });
});

/** A form with settings under which 30 requests of 30 get a conforming answer; null: none does. */
async function holding(model: string, need: Recommendation['need']): Promise<Followed | null> {
  const choices = ['required', 'object', 'auto'].map((choice) => ({ tool_choice: choice }));
  const tools = choices.map((settings) => ({ form: `tool_choice.${settings.tool_choice}`, settings }));
  const json = ['json_schema', 'json_object'].map((form) => ({ form, settings: {} }));
  const text = [{ form: 'chat', settings: {} }];
  const forms = need === 'plain_text' ? text : need === 'tool_call' ? tools : [...json, ...tools];
  const variants = [
    {},
    { stream: 'false' },
    { json_word: 'required' },
    { max_tokens: '3000' },
    { thinking: 'disabled' },
  ];
  for (const { form, settings } of forms) {
    for (const variant of variants) {
      const told = { need, form, settings: { ...settings, ...variant } };
      if ((await follow(clientOf(model), told, 30, true)).first === null) return told;
    }
  }
  return null;
}

describe('what is recommended', () => {
  const required = { tool_choice: 'required' };

  test('needs no caveat and no setting on a model that does everything right', () => {
    const told = (form: string, settings = {}) => ({ form, settings, caveats: [] });
    expect(needNames.map((need) => adviceFor('sim-reference', need))).toMatchObject([
      told('chat'),
      told('json_schema'),
      told('json_object'),
      told('tool_choice.required', required),
    ]);
  });

  test.each<[string, Recommendation['need'], Partial<Recommendation>]>([
    ['sim-budget', 'structured', { form: 'json_schema', settings: { max_tokens: '2048' } }],
    ['sim-json-word', 'structured', { form: 'json_schema', settings: { json_word: 'required' } }],
    ['sim-stream-reset', 'plain_text', { form: 'chat', settings: { stream: 'false' } }],
    ['sim-forced-thinking-400', 'tool_call', { settings: { ...required, thinking: 'disabled' } }],
    [
      'sim-enforce-none',
      'structured',
      { form: 'json_schema', caveats: ['The schema is ignored: validate every answer'] },
    ],
    [
      'sim-enforce-some',
      'structured',
      { form: 'json_schema', caveats: ['The schema is enforced only in part: validate every answer'] },
    ],
    [
      'sim-wobbly',
      'structured',
      { caveats: [expect.stringMatching(/^Breaks the schema when the prompt contradicts it/) as string] },
    ],
    ['sim-max-tokens-refused', 'plain_text', { form: 'chat', settings: {} }],
    // json_schema was judged by values; that tool_choice.object was asked for a structure alone does not make it
    // better.
    ['sim-wrong-values', 'structured', { form: 'tool_choice.required' }],
    // A form promises no values: that they are wrong is a caveat.
    [
      'sim-wrong-arguments',
      'tool_call',
      { form: 'tool_choice.required', caveats: [expect.stringMatching(/^values are wrong in \d+ of \d+ /) as string] },
    ],
    ['sim-wrong-function', 'tool_call', { form: 'tool_choice.object' }],
    ['sim-call-as-text', 'tool_call', { form: null }],
    ['odd-schema-flaky', 'structured', { form: 'tool_choice.required' }],
    ['odd-large-caps-refused', 'structured', { settings: { max_tokens: '2048' } }],
    ['odd-mute', 'plain_text', { form: null }],
  ])('on %s for %s', (model, need, expected) => {
    expect(adviceFor(model, need)).toMatchObject(expected);
  });

  test('names only models as alternatives that serve the need and can speak', () => {
    const named = new Set(report.recommendations.flatMap(({ alternatives }) => alternatives));
    const reachable = new Set(report.models.flatMap(({ id, reachable: is }) => (is ? [id] : [])));
    expect([...named].filter((id) => !reachable.has(id))).toEqual([]);
    expect(named).not.toContain('demo/odd-mute');
    const { alternatives = [] } = adviceFor('sim-call-as-text', 'tool_call') ?? {};
    expect(alternatives).toContain('demo/sim-reference');
    expect(alternatives.filter((id) => adviceFor(nameOf(id), 'tool_call')?.form === null)).toEqual([]);
  });
});

type OnCard = (told: Recommendation, card: ReportBehaviour) => boolean;

const usesFormat: OnCard = ({ form }) => form === 'json_schema' || form === 'json_object';
const usesObjectChoice: OnCard = ({ form }) => form === 'tool_choice.object';

/** What each behaviour warns against. */
const contradictions: Readonly<Record<string, OnCard>> = {
  'object-tool-choice-http-500': usesObjectChoice,
  'object-tool-choice-thinking-400': usesObjectChoice,
  'object-tool-choice-ignored': usesObjectChoice,
  'tools-not-in-prompt': ({ form }) => form === 'tools',
  'response-format-empty-or-unparseable': usesFormat,
  'json-schema-only': ({ form }) => form === 'json_object' || (form ?? '').startsWith('tool'),
  'json-schema-needs-max-tokens': ({ form, settings }, { title }) =>
    form === 'json_schema' && !(Number(settings['max_tokens']) >= Number(/\d+/.exec(title)?.[0])),
  'strict-intermittent-on-conflict': ({ form, caveats = [] }) =>
    form === 'json_schema' && !caveats.some((caveat) => /contradicts.*retry/.test(caveat)),
  'json-word-required': (told, card) => usesFormat(told, card) && told.settings['json_word'] !== 'required',
};

describe('no recommendation contradicts a behaviour of its model', () => {
  test('every behaviour of the core suites has its contradiction', () => {
    expect(Object.keys(contradictions).sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  test.each(Object.entries(contradictions))('%s', (id, contradicts) => {
    const cards = report.behaviours.filter((one) => one.id === id);
    expect(cards.length).toBeGreaterThan(0);
    const wrong = cards.flatMap((card) =>
      report.recommendations.filter((told) => told.model === card.model && contradicts(told, card)),
    );
    expect(wrong.map(({ model, need, form }) => `${model} ${need}: ${String(form)}`)).toEqual([]);
  });
});
