import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplates, TemplateError } from './template.js';
import { tableIn } from '../../../test/support/cases.js';

const values = {
  buyer: 'Li <Lei> & "Co"',
  total: 897,
  none: null,
  no: false,
  'with-dash': 1,
  steps: { call: { arguments: { total: 5, items: ['a', 'b'] } }, tool: { result: { success: true } } },
};

describe('renderTemplates', () => {
  test.each([
    ['no template', 'plain { text } }} with \\ braces'],
    ['a JSON Schema', '{"a":{"b":1}}'],
  ])('leaves %s as it is', (_, text) => {
    expect(renderTemplates(text, values)).toBe(text);
  });

  test.each(tableIn('plan', 'templates filled') as readonly (readonly [string, string])[])(
    '%s',
    (template, expected) => {
      expect(renderTemplates(template, values)).toBe(expected);
    },
  );

  test.each(tableIn('plan', 'templates refused') as readonly (readonly [string, string])[])(
    '%s gives a clear error',
    (template, message) => {
      expect(() => renderTemplates(template, values)).toThrow(TemplateError);
      expect(() => renderTemplates(template, values)).toThrow(message);
    },
  );

  test('never reads a value as a template', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const hostile = `{{buyer}}${text}{{nothing}}{{#each`;
        expect(renderTemplates('say: {{reply}}', { reply: hostile, buyer: 'x' })).toBe(`say: ${hostile}`);
        expect(renderTemplates('{{json reply}}', { reply: hostile })).toBe(JSON.stringify(hostile));
      }),
    );
  });
});

describe('renderTemplates', () => {
  test('fills strings at any depth, keeps their type and leaves names alone', () => {
    const value = { '{{buyer}}': ['{{total}}', 1, null, { deep: 'for {{total}}' }] };
    expect(renderTemplates(value, values)).toEqual({ '{{buyer}}': ['897', 1, null, { deep: 'for 897' }] });
  });
});
