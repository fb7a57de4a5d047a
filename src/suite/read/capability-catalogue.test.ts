import { describe, expect, test } from 'vitest';
import { loadBuiltin } from '../../../test/support/builtin-suites.js';
import type { NeedForm } from '../probe.js';
import { catalogueOf } from './capability-catalogue.js';

const form = (order: number): NeedForm => ({
  ...{ need: 'structured', capability: 'json_schema', order },
  ...{ settings: {}, care: null, budget: null },
});

describe('the catalogue of capabilities', () => {
  test('has the families of the built-in suites in the order of reports', async () => {
    const { suites } = await loadBuiltin('core', 'extended', 'json-schema-test-suite');
    expect((await catalogueOf(suites)).families.map(({ name }) => name)).toEqual([
      ...[
        'chat',
        'json_schema',
        'json_object',
        'tools',
        'parallel_tool_calls',
        'tool_choice',
        'tool_loop',
        'stream',
        'thinking',
        'reasoning_effort',
      ],
      ...[
        'budget',
        'strict',
        'not_strict',
        'flow',
        'json_word',
        'load',
        'schema',
        'tool_schema',
        'size',
        'parameter',
        'input',
        'tool_result',
        'cache',
      ],
    ]);
  });

  test('has the forms of each need, best first', async () => {
    const { forms } = await catalogueOf((await loadBuiltin('core')).suites);
    const formsOf = (need: NeedForm['need']) =>
      forms.filter((one) => one.need === need).map(({ capability }) => capability);
    expect(formsOf('plain_text')).toEqual(['chat']);
    expect(formsOf('structured')).toEqual([
      ...['json_schema', 'tool_choice.required', 'tool_choice.object', 'tools', 'json_object'],
    ]);
    expect(formsOf('free_json')).toEqual(['json_object', 'json_schema', 'tool_choice.required']);
    expect(formsOf('tool_call')).toEqual(['tool_choice.required', 'tool_choice.object', 'tools']);
    expect(forms.find((one) => one.need === 'tool_call')).toEqual({
      ...{ need: 'tool_call', capability: 'tool_choice.required', order: 10, budget: 'budget.tools' },
      ...{ settings: { tool_choice: 'required' }, care: 'check the returned function name and arguments' },
    });
  });

  test('is the same when the config does not list the core suites', async () => {
    expect(await catalogueOf([])).toEqual(await catalogueOf((await loadBuiltin('core')).suites));
  });

  test('prefers what the suites of a config declare, in their order', async () => {
    const suite = { file: 'own.yaml', families: [{ name: 'schema', order: 5 }], forms: [form(35)] };
    const { families, forms } = await catalogueOf([suite]);
    expect(families.map(({ name }) => name).slice(0, 2)).toEqual(['schema', 'chat']);
    expect(forms.filter(({ need }) => need === 'structured').map(({ capability }) => capability)).toEqual([
      ...['tool_choice.required', 'tool_choice.object', 'json_schema', 'tools', 'json_object'],
    ]);
  });
});
