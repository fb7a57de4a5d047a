import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aModel, aProbe, aSettingsAxis, aValuesAxis } from '../../../test/support/build.js';
import { planProbeCells } from './plan-cells.js';

const toolChoice = aValuesAxis('tool_choice', { auto: 'auto', required: 'required', object: { type: 'function' } });
const maxTokens = aValuesAxis('max_tokens', { '512': 512, '2048': 2048 });
const thinking = aSettingsAxis('thinking');
const settings = { thinking: { default: null, enabled: { thinking: { type: 'enabled' } }, disabled: {} } };

const model = aModel('demo/m', { settings });
const bare = aModel('demo/m');
const keysOf = (changes: Parameters<typeof aProbe>[1], to = model) =>
  planProbeCells(aProbe('s/p', changes), to).cells.map(({ key }) => key.replace(`@${to.key}`, ''));

describe('cells of a probe', () => {
  test('are a single one without axes, whose key has no brackets', () => {
    expect(keysOf({})).toEqual(['s/p']);
  });

  test('are the product of the axes in file order, with the last axis varying fastest', () => {
    expect(keysOf({ axes: [maxTokens, toolChoice] })).toEqual([
      's/p[max_tokens=512,tool_choice=auto]',
      's/p[max_tokens=512,tool_choice=required]',
      's/p[max_tokens=512,tool_choice=object]',
      's/p[max_tokens=2048,tool_choice=auto]',
      's/p[max_tokens=2048,tool_choice=required]',
      's/p[max_tokens=2048,tool_choice=object]',
    ]);
  });

  test('vary one axis at a time with combine: each, while the others keep their first label', () => {
    expect(keysOf({ axes: [toolChoice, thinking, maxTokens], combine: 'each' })).toEqual([
      's/p[tool_choice=auto,thinking=default,max_tokens=512]',
      's/p[tool_choice=required,thinking=default,max_tokens=512]',
      's/p[tool_choice=object,thinking=default,max_tokens=512]',
      's/p[tool_choice=auto,thinking=enabled,max_tokens=512]',
      's/p[tool_choice=auto,thinking=disabled,max_tokens=512]',
      's/p[tool_choice=auto,thinking=default,max_tokens=2048]',
    ]);
  });

  test('omit points with excluded labels, and add the points under include, even if excluded', () => {
    const axes = [toolChoice, maxTokens];
    const exclude = [{ tool_choice: 'object' }, { tool_choice: 'auto', max_tokens: '512' }];
    const include = [{ tool_choice: 'object', max_tokens: '2048' }, { tool_choice: 'required' }];
    expect(keysOf({ axes, exclude, include })).toEqual([
      's/p[tool_choice=auto,max_tokens=2048]',
      's/p[tool_choice=required,max_tokens=512]',
      's/p[tool_choice=required,max_tokens=2048]',
      's/p[tool_choice=object,max_tokens=2048]',
    ]);
  });

  test('take the first label of an axis that include leaves out', () => {
    expect(
      keysOf({
        axes: [toolChoice, maxTokens],
        combine: 'each',
        include: [{ max_tokens: '2048', tool_choice: 'object' }, { tool_choice: 'object' }],
      }),
    ).toEqual([
      's/p[tool_choice=auto,max_tokens=512]',
      's/p[tool_choice=required,max_tokens=512]',
      's/p[tool_choice=object,max_tokens=512]',
      's/p[tool_choice=auto,max_tokens=2048]',
      's/p[tool_choice=object,max_tokens=2048]',
    ]);
  });

  test('take the labels of settings from the model', () => {
    expect(keysOf({ axes: [thinking] })).toEqual([
      's/p[thinking=default]',
      's/p[thinking=enabled]',
      's/p[thinking=disabled]',
    ]);
  });

  test('are none where the model does not define a setting, whatever else varies or is included', () => {
    const include = [{ thinking: 'enabled' }, { max_tokens: '512' }];
    for (const combine of ['product', 'each'] as const) {
      const made = planProbeCells(
        aProbe('s/p', { axes: [maxTokens, thinking], combine, include, fill: 3 }),
        aModel('demo/m'),
      );
      expect(made).toMatchObject({ cells: [], leftOut: [], problems: [] });
      expect(made.absences).toMatchObject([{ settings: 'thinking' }]);
    }
  });

  test('are none for an included label that the model does not define', () => {
    const { cells, absences } = planProbeCells(
      aProbe('s/p', { axes: [thinking], include: [{ thinking: 'low' }] }),
      model,
    );
    expect(cells.map(({ point }) => point)).toEqual([
      { thinking: 'default' },
      { thinking: 'enabled' },
      { thinking: 'disabled' },
    ]);
    expect(absences).toEqual([]);
  });

  test('do not vary the axis of find', () => {
    const find = { axis: 'max_tokens', from: 16, to: 16384, tolerance: 0.125 };
    expect(keysOf({ axes: [maxTokens, toolChoice], find })).toEqual([
      's/p[tool_choice=auto]',
      's/p[tool_choice=required]',
      's/p[tool_choice=object]',
    ]);
  });

  test('are two for enforce, one for each channel', () => {
    const enforce = { keyword: 'enum', schema: { type: 'object' }, valid: {}, invalid: {} };
    const { cells } = planProbeCells(aProbe('s/p', { enforce, capability: 'schema.enum' }), model);
    expect(cells.map(({ key, capability }) => [key, capability])).toEqual([
      ['s/p[channel=response_format]@demo/m', 'schema.enum'],
      ['s/p[channel=tools]@demo/m', 'tool_schema.enum'],
    ]);
  });

  test('have their labels in the capability', () => {
    const { cells } = planProbeCells(
      aProbe('s/p', { axes: [toolChoice], capability: 'tool_choice.{{ tool_choice }}' }),
      model,
    );
    expect(cells.map(({ capability }) => capability)).toEqual([
      'tool_choice.auto',
      'tool_choice.required',
      'tool_choice.object',
    ]);
  });

  test('must not be too many', () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`l${index}`, index]));
    const axes = Array.from({ length: 9 }, (_, index) => aValuesAxis(`a${index}`, ten));
    const huge = planProbeCells(aProbe('s/p', { axes }), model);
    expect(huge.cells).toEqual([]);
    expect(huge.problems[0]?.message).toContain('1000000000 cells');
    expect(planProbeCells(aProbe('s/p', { axes, combine: 'each' }), model).cells).toHaveLength(82);
  });
});

const label = fc.stringMatching(/^[A-Za-z0-9._+-]{1,8}$/);
const axis = fc
  .tuple(fc.stringMatching(/^[a-z][a-z_]{0,6}$/), fc.uniqueArray(label, { minLength: 1, maxLength: 4 }))
  .map(([name, labels]) => aValuesAxis(name, Object.fromEntries(labels.map((one) => [one, one]))));
const axes = fc.uniqueArray(axis, { selector: ({ name }) => name, maxLength: 4 });

describe('points', () => {
  const pointsOf = (changes: Parameters<typeof aProbe>[1]) =>
    planProbeCells(aProbe('s/p', changes), bare).cells.map(({ point }) => point);

  test('are as many as the axes give, and all different', () => {
    fc.assert(
      fc.property(axes, fc.constantFrom('product' as const, 'each' as const), (varied, combine) => {
        const sizes = varied.map((one) => (one.kind === 'values' ? one.points.size : 0));
        const expected =
          combine === 'product' ? sizes.reduce((a, b) => a * b, 1) : sizes.reduce((a, b) => a + b - 1, 1);
        const points = pointsOf({ axes: varied, combine });
        expect(points).toHaveLength(expected);
        expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(expected);
      }),
    );
  });

  test('with combine: each are part of the product, and exclude removes exactly the points it names', () => {
    fc.assert(
      fc.property(axes, fc.nat(), (varied, pick) => {
        const product = pointsOf({ axes: varied });
        expect(product).toEqual(expect.arrayContaining(pointsOf({ axes: varied, combine: 'each' })));
        const out = product[pick % product.length]!;
        expect(pointsOf({ axes: varied, exclude: [out] })).toEqual(product.filter((point) => point !== out));
        expect(new Set(pointsOf({ axes: varied, exclude: [out], include: [out] }))).toEqual(new Set(product));
      }),
    );
  });
});
