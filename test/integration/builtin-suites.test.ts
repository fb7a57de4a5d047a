import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planProbeCells } from '../../src/plan/cells/plan-cells.js';
import { estimate } from '../../src/estimate/estimate.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { configWithModels, loadBuiltin, modelWithSettings } from '../support/builtin-suites.js';

const core = await loadBuiltin('core');
const both = await loadBuiltin('core', 'extended');
const probesOf = ({ suites }: typeof core) => suites.flatMap((suite) => suite.probes);
const cells = probesOf(core).flatMap((probe) => planProbeCells(probe, modelWithSettings('demo/m')).cells);

function planned(tags: readonly string[], models: number) {
  const config = configWithModels(models);
  const { plan, problems } = makePlan({ config, suites: core.suites, baseline: null, options: { tags } });
  expect(problems).toEqual([]);
  return { cells: plan.cells.length, requests: estimate(plan, config).requests.expected };
}

describe('the built-in suites', () => {
  test('load without an error or a warning', () => {
    expect(both.problems).toEqual([]);
    expect(probesOf(both).length).toBeGreaterThan(100);
  });

  test('provide evidence for every promised capability', () => {
    const capabilities = new Set(cells.map((cell) => cell.capability));
    const keywords =
      'type properties required additionalProperties enum items description minimum maximum minLength maxLength pattern anyOf oneOf allOf';
    const promised = [
      ...['chat', 'json_schema', 'json_object', 'tools', 'json_word', 'strict.conflict', 'flow.tool_then_summary'],
      ...['none', 'auto', 'required', 'object'].map((form) => `tool_choice.${form}`),
      ...['chat', 'json_schema', 'tools'].map((form) => `stream.${form}`),
      ...['default', 'enabled', 'disabled'].map((label) => `thinking.${label}`),
      ...['low', 'medium', 'high'].map((label) => `reasoning_effort.${label}`),
      ...['chat', 'json_schema', 'json_object', 'tools'].map((form) => `budget.${form}`),
      ...keywords.split(' ').flatMap((keyword) => [`schema.${keyword}`, `tool_schema.${keyword}`]),
    ];
    expect(promised.filter((capability) => !capabilities.has(capability))).toEqual([]);
  });

  test('name the behaviours that the specification lists', () => {
    expect(core.suites.flatMap((suite) => suite.behaviours.map(({ id }) => id)).sort()).toEqual([
      'json-schema-needs-max-tokens',
      'json-schema-only',
      'json-word-required',
      'object-tool-choice-http-500',
      'object-tool-choice-ignored',
      'object-tool-choice-thinking-400',
      'response-format-empty-or-unparseable',
      'strict-intermittent-on-conflict',
      'tools-not-in-prompt',
    ]);
  });

  test('repeat the conflict often enough to see an intermittent failure', () => {
    for (const name of ['strict', 'not-strict'])
      expect(probesOf(core).find((probe) => probe.suite === 'conflict' && probe.name === name)?.trials).toEqual({
        kind: 'count',
        count: 30,
      });
  });

  test('send the word json with every response_format, except in the json-word suite', () => {
    const silent = probesOf(core)
      .filter(({ suite }) => suite !== 'json-word')
      .filter(({ vars, steps }) =>
        steps.some(
          (step) =>
            step.kind === 'ask' &&
            step.request['response_format'] !== undefined &&
            !/json/i.test(JSON.stringify([step.request['messages'], vars['advised']])),
        ),
      );
    expect(silent.map(({ suite, name }) => `${suite}/${name}`)).toEqual([]);
  });
});

describe('the tags', () => {
  test('smoke needs fewer than 12 requests per model', () => {
    expect(planned(['smoke'], 1).requests).toBeLessThan(12);
  });

  test('nightly needs fewer than 60 cells and 90 requests per model, and fewer than 1,100 requests for 12 models', () => {
    const one = planned(['nightly'], 1);
    expect(one.cells).toBeLessThan(60);
    expect(one.requests).toBeLessThan(90);
    expect(planned(['nightly'], 12).requests).toBeLessThan(1100);
  });

  test('weekly covers all of core', () => {
    expect(planned(['weekly'], 1)).toEqual(planned([], 1));
  });
});

test('docs/suites.md lists every suite', () => {
  const text = readFileSync(new URL('../../docs/suites.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name = '']) => name);
  expect(listed).toEqual(expect.arrayContaining(probesOf(both).map(({ suite }) => suite)));
});
