import { expect, test } from 'vitest';
import { aModel, aPlannedCell, aSettingsAxis, aValuesAxis } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { Probe } from '../../suite/probe.js';
import { bodyLayers, withLayer } from './body-layers.js';

const request = { messages: [], stop: null, a: 'request', b: 'request', c: 'request', d: 'request' };
const settings = { thinking: { on: { b: 'first setting', c: 'first setting', d: 'first setting' }, off: null } };
const model = aModel('t/m', { request: { d: 'model' }, settings });
const axes = [aSettingsAxis('thinking'), aValuesAxis('c', { it: 'value', none: undefined })];
const steps: Probe['steps'] = [{ kind: 'ask', id: 'request', request, expect: {} }];
const layersAt = (point: Record<string, string>, probe: Partial<Probe> = {}) =>
  bodyLayers(aPlannedCell({ point, model, probe: { steps, axes, ...probe } }).cell, 'request');

test.each<[string, Record<string, string>, readonly string[], JsonObject]>([
  [
    'each part over those before it',
    { thinking: 'on', c: 'it' },
    ['request', 'setting', 'value', 'model'],
    { ...request, b: 'first setting', c: 'value', d: 'model' },
  ],
  [
    'a label that changes nothing',
    { thinking: 'off', c: 'it' },
    ['request', 'setting', 'value', 'model'],
    { ...request, c: 'value', d: 'model' },
  ],
  ['an axis that the cell has not', { c: 'it' }, ['request', 'value', 'model'], { ...request, c: 'value', d: 'model' }],
  [
    'a field that is left out',
    { c: 'none' },
    ['request', 'value', 'model'],
    { messages: [], stop: null, a: 'request', b: 'request', d: 'model' },
  ],
])('%s', (_, point, kinds, body) => {
  const layers = layersAt(point);
  expect(layers.map(({ kind }) => kind)).toEqual(kinds);
  expect(layers.reduce<JsonObject>(withLayer, {})).toEqual(body);
});

test('the axes count in the order of the file', () => {
  const layers = layersAt({ thinking: 'on', c: 'it' }, { axes: axes.toReversed() });
  expect(layers.reduce<JsonObject>(withLayer, {})).toMatchObject({ b: 'first setting', c: 'first setting' });
});
