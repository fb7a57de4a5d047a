import { expect, test } from 'vitest';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { RunEvent } from '../journal/event.js';
import { createRunEnding } from './run-ending.js';

function ending(signal?: AbortSignal) {
  const clock = createVirtualClock();
  const events: RunEvent[] = [];
  const emit = (event: RunEvent) => Promise.resolve(void events.push(event));
  const opened = createRunEnding({ clock, ...(signal && { signal }) }, emit);
  return {
    ...opened,
    clock,
    kinds: () => events.flatMap((event) => (event.type === 'stopped' ? event.stop.kind : [])),
  };
}

test('an interruption is reported once, when the run has ended, and cuts requests five seconds later', async () => {
  const controller = new AbortController();
  const { stopSwitch, cut, clock, kinds, stops } = ending(controller.signal);
  controller.abort();
  expect([stopSwitch.reason()?.kind, stops.length, kinds(), cut.aborted]).toEqual(['interrupted', 1, [], false]);
  await clock.runUntil(clock.sleep(4999));
  expect(cut.aborted).toBe(false);
  await clock.runUntil(clock.sleep(2));
  expect(cut.aborted).toBe(true);
});

test('a stop for another reason is reported at once', () => {
  const { stopped, kinds } = ending();
  stopped('t', null, { kind: 'quota', answered_by: 't/m', detail: '' });
  expect(kinds()).toEqual(['quota']);
});

test('what failed first is thrown, and the run is interrupted', () => {
  const { failed, throwFailure, stopSwitch } = ending();
  expect(throwFailure).not.toThrow();
  failed(new Error('the disk is full'));
  failed(new Error('another'));
  expect(throwFailure).toThrow('the disk is full');
  expect(stopSwitch.reason()?.kind).toBe('interrupted');
});
