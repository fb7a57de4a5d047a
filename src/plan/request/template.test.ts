import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplates, TemplateError } from './template.js';

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

  test.each([
    ['{{buyer}}', 'Li <Lei> & "Co"'],
    ['{{{buyer}}}', 'Li <Lei> & "Co"'],
    ['Order for {{ buyer }}: {{total}}', 'Order for Li <Lei> & "Co": 897'],
    ['{{steps.call.arguments.total}}', '5'],
    ['{{json steps.tool.result}}', '{"success":true}'],
    ['{{json buyer}}', '"Li <Lei> & \\"Co\\""'],
    ['{{no}}{{none}}', 'false'],
    ['{{with-dash}}', '1'],
    ['{{#each steps.call.arguments.items}}{{this}};{{/each}}', 'a;b;'],
    ['{{#if no}}x{{else}}y{{/if}}', 'y'],
    ['\\{{buyer}}', '{{buyer}}'],
    ['{{steps.call.arguments.items.length}}', '2'],
  ])('%s', (template, expected) => {
    expect(renderTemplates(template, values)).toBe(expected);
  });

  test.each([
    ['{{byer}}', 'unknown name "byer"'],
    ['{{steps.cal.arguments}}', 'unknown name "steps.cal"'],
    ['{{buyer.name}}', 'unknown name "buyer.name"'],
    ['{{json nothing}}', 'unknown name "nothing"'],
    ['{{#if nothing}}x{{/if}}', 'unknown name "nothing"'],
    ['{{#each nothing}}x{{/each}}', 'unknown name "nothing"'],
    ['{{lookup steps "nothing"}}', 'lookup found nothing'],
    ['{{constructor}}', 'unknown name "constructor"'],
    ['{{steps.constructor}}', 'unknown name "steps.constructor"'],
    ['{{__proto__}}', 'unknown name "__proto__"'],
    ['{{steps}}', '"steps" is an object, not text; write {{json steps}}'],
    ['{{shout buyer}}', 'no helper "shout"'],
    ['{{> partial}}', 'partial'],
    ['{{log buyer}}', 'no helper "log"'],
    ['{{buyer', 'cannot be parsed'],
    ['{{json}}', 'json takes one value'],
  ])('%s gives a clear error', (template, message) => {
    expect(() => renderTemplates(template, values)).toThrow(TemplateError);
    expect(() => renderTemplates(template, values)).toThrow(message);
  });

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
