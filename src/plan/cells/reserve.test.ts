import { describe, expect, test } from 'vitest';
import { aConfig, aModel, aProbe, aSettingsAxis, aSuite, aTarget, aValuesAxis } from '../../../test/support/build.js';
import type { Probe } from '../../suite/probe.js';
import { shardOfPlan } from '../../assemble/shard-of-plan.js';
import { estimate } from '../../estimate/estimate.js';
import { makePlan, type PlanOptions } from '../make-plan.js';
import { cellsAsked } from './reserve.js';

const place = { file: 'suite.yaml', line: 3, column: 1 };
const named = (probe: string, line = 1) => ({ probe, place: { ...place, line } });
const form = aValuesAxis('form', { string: 'required', object: {} });
const stream = aValuesAxis('stream', { off: undefined, on: true });
const size = aValuesAxis('size', { small: 1, large: 2 });
const enforce = { keyword: 'type', schema: { type: 'object' }, valid: {}, invalid: {} };
const models = [aModel('demo/alpha'), aModel('demo/beta')];
const config = aConfig([aTarget('demo', { baseUrl: 'simulator', models })]);

const steps: Probe['steps'] = [{ kind: 'ask', id: 'request', request: { messages: [] }, expect: {} }];
const filled = (changes: Partial<Probe> = {}) =>
  aProbe('s/p', { axes: [form, stream, size], combine: 'each', fill: 2, tags: ['nightly'], steps, ...changes });
const keywords = [
  aProbe('s/all', { enforce, split: [named('s/type'), named('s/enum')], tags: ['nightly'] }),
  aProbe('s/type', { enforce, tags: ['weekly'] }),
  aProbe('s/enum', { enforce, tags: ['weekly'] }),
  aProbe('s/other', { enforce, tags: ['weekly'] }),
];

function planned(probes: readonly Probe[], options: PlanOptions = {}) {
  const suites = [aSuite('s', probes)];
  const { plan, problems } = makePlan({ config, suites, baseline: null, options: { models: ['alpha'], ...options } });
  expect(problems).toEqual([]);
  const short = (key: string): string => key.replace('s/', '').replace('@demo/alpha', '');
  return {
    plan,
    cells: plan.cells.map(({ cell }) => short(cell.key)),
    reserve: plan.reserve.map(({ planned: plannedCell }) => short(plannedCell.cell.key)),
  };
}

const restOfProduct = [
  'p[form=string,stream=on,size=large]',
  'p[form=object,stream=off,size=large]',
  'p[form=object,stream=on,size=small]',
  'p[form=object,stream=on,size=large]',
];

describe('the reserve of a probe with fill', () => {
  test('is the rest of the product', () => {
    const { cells, reserve, plan } = planned([filled()]);
    expect(cells).toEqual([
      'p[form=string,stream=off,size=small]',
      'p[form=object,stream=off,size=small]',
      'p[form=string,stream=on,size=small]',
      'p[form=string,stream=off,size=large]',
    ]);
    expect(reserve).toEqual(restOfProduct);
    expect(plan.reserve[0]).toMatchObject({ settles: { kind: 'condition', most: 2 }, planned: { course: 'fixed' } });
    expect(plan.plannedCells).toBe(4);
  });

  test('has no points without fill, and none under exclude', () => {
    expect(planned([filled({ fill: 0 })]).reserve).toEqual([]);
    const excluded = planned([
      filled({
        exclude: [
          { stream: 'on', size: 'large' },
          { form: 'object', size: 'large' },
        ],
      }),
    ]);
    expect(excluded.reserve).toEqual(['p[form=object,stream=on,size=small]']);
  });

  test('has no points of a setting that the config does not define, and none whose needs it leaves undefined', () => {
    const thinking = filled({ name: 'q', axes: [form, stream, aSettingsAxis('thinking')] });
    const needy = filled({ name: 'r', needs: [named('s/q')] });
    expect(planned([thinking, needy, aProbe('s/plain')]).reserve).toEqual([]);
  });

  test('obeys the filters', () => {
    expect(
      planned([filled()], { skip: ['p[*stream=on*', '*form=object*large*'].map((part) => `s/${part}`) }).reserve,
    ).toEqual([]);
    expect(planned([filled(), aProbe('s/q')], { only: ['s/q'] }).reserve).toEqual([]);
    expect(planned([filled()], { only: ['s/p[form=object*'] }).reserve).toEqual(restOfProduct.slice(1));
  });

  test('is asked directly where --only matches nothing else, so that a cell of a report can be asked again by its key', () => {
    const { cells, reserve } = planned([filled()], { only: ['s/p[form=object,stream=on,size=small]'] });
    expect(cells).toEqual(['p[form=object,stream=on,size=small]']);
    expect(reserve).toEqual([]);
  });

  test('is never needed by a cell', () => {
    const later = aProbe('s/q', { axes: [form], needs: [named('s/p')] });
    const { plan } = planned([filled(), later]);
    const needs = Object.fromEntries(plan.cells.map(({ cell }) => [cell.key, cell.needs.length]));
    expect(needs['s/q[form=object]@demo/alpha']).toBe(1);
  });

  test('leaves out a point if no cell meets its own needs', () => {
    const first = aProbe('s/p', { axes: [form, stream], combine: 'each' });
    const second = filled({ name: 'q', needs: [named('s/p')], axes: [form, stream] });
    expect(planned([first, second]).reserve).toEqual([]);
  });

  test('leaves out a point if the filters leave out its needs', () => {
    const first = aProbe('s/p', { axes: [size] });
    const second = filled({ name: 'q', needs: [named('s/p')], axes: [form, size] });
    expect(planned([first, second]).reserve).toEqual(['q[form=object,size=large]']);
    const only = ['s/q[form=string,size=small]', 's/q[form=object,*'];
    expect(planned([first, second], { only }).reserve).toEqual([]);
  });

  test('is empty for a probe without a planned cell', () => {
    const { cells, reserve } = planned([filled(), aProbe('s/q', { axes: [stream, size] })], {
      only: ['*stream=on,size=large]'],
    });
    expect(cells).toEqual(['q[stream=on,size=large]']);
    expect(reserve).toEqual([]);
  });
});

describe('the reserve of a composite document', () => {
  test('contains the probes that it splits into, through the same channel, whatever their tags', () => {
    const { cells, reserve, plan } = planned(keywords, { tags: ['nightly'] });
    expect(cells).toEqual(['all[channel=response_format]', 'all[channel=tools]']);
    expect(reserve).toEqual([
      'type[channel=response_format]',
      'enum[channel=response_format]',
      'type[channel=tools]',
      'enum[channel=tools]',
    ]);
    expect(plan.reserve.map(({ settles }) => (settles.kind === 'composite' ? settles.cell : null))).toEqual([
      ...Array.from({ length: 2 }, () => 's/all[channel=response_format]@demo/alpha'),
      ...Array.from({ length: 2 }, () => 's/all[channel=tools]@demo/alpha'),
    ]);
  });

  test('contains nothing that is planned anyway', () => {
    expect(planned(keywords).reserve).toEqual([]);
  });
});

describe('a plan with a reserve', () => {
  test('has a digest that depends on the reserve, but not on where a suite names the parts', () => {
    const digest = (changes: Partial<Probe>, options: PlanOptions = {}) =>
      planned([{ ...keywords[0]!, ...changes }, ...keywords.slice(1)], { tags: ['nightly'], ...options }).plan.digest;
    expect(digest({})).toBe(digest({ split: [named('s/type', 70), named('s/enum', 71)] }));
    expect(digest({})).not.toBe(digest({ split: [named('s/type')] }));
    expect(planned([filled()]).plan.digest).not.toBe(
      planned([filled({ exclude: [{ form: 'object', stream: 'on' }] })]).plan.digest,
    );
  });

  test('expects to ask none of it, and counts it in full at most', () => {
    const without = estimate(planned([filled({ fill: 0 })], { profile: 'smoke' }).plan, config).requests;
    const two = estimate(planned([filled()], { profile: 'smoke' }).plan, config).requests;
    expect(two).toMatchObject({ expected: without.expected, largest: without.largest + 2 });
    const parts = estimate(planned(keywords, { tags: ['nightly'], profile: 'smoke' }).plan, config).requests;
    expect(parts).toMatchObject({ expected: 2 * 3 + 1, largest: 6 * 4 + 1 });
  });

  test('is divided into shards with the models it belongs to', () => {
    const parts = [1, 2].map((index) => shardOfPlan(planned([filled()], { models: ['*'] }).plan, { index, of: 2 }));
    for (const { cells, reserve } of parts) {
      expect(reserve).toHaveLength(4);
      expect(
        new Set([...cells, ...reserve.map(({ planned: plannedCell }) => plannedCell)].map(({ cell }) => cell.model.key))
          .size,
      ).toBe(1);
    }
  });

  test('lists the cells that were asked after the planned ones, each once', () => {
    const { plan } = planned(
      [...keywords, aProbe('s/both', { enforce, split: [named('s/type')], tags: ['nightly'] })],
      { tags: ['nightly'] },
    );
    const asked = cellsAsked(plan, (key) => key === 's/type[channel=tools]@demo/alpha');
    expect(asked.map(({ cell }) => cell.key)).toEqual([
      ...plan.cells.map(({ cell }) => cell.key),
      's/type[channel=tools]@demo/alpha',
    ]);
    expect(cellsAsked(plan, () => false)).toEqual(plan.cells);
  });
});
