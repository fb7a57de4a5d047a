import { expect, test } from 'vitest';
import type { Report } from './report-format.js';
import { isAcceptable } from './acceptable.js';

const stop = { kind: 'budget', target: null, model: null };
const run = { complete: true, profile: 'standard', stops: [] };
const cells = [{ suite: 'json-schema' }];

test.each([
  ['a whole run', { run, cells }, true],
  ['one that left a model alone', { run: { ...run, stops: [{ ...stop, target: 't', model: 't/m' }] }, cells }, true],
  ['one that left a target alone', { run: { ...run, stops: [{ ...stop, target: 't' }] }, cells }, true],
  ['one that was interrupted', { run: { ...run, complete: false }, cells }, false],
  ['one that its budget stopped', { run: { ...run, stops: [stop] }, cells }, false],
  ['a smoke run', { run: { ...run, profile: 'smoke' }, cells }, false],
  ['what check asked', { run, cells: [{ suite: 'check' }] }, false],
])('is acceptable: %s, %#', (_, report, acceptable) => {
  expect(isAcceptable(report as unknown as Report)).toBe(acceptable);
});
