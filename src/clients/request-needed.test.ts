import { describe, expect, test } from 'vitest';
import { needsOf, requestNeeded } from './request-needed.js';

const [stream, tools, required] = ['stream: true', 'tools', 'tool_choice: required'];
const forced = [tools, required];

describe('a request that would meet it', () => {
  test.each([
    ['a stream', [[stream]], [[]], 'a request with stream: true'],
    ['one of two that are as near', [[stream], [tools]], [[]], 'a request with stream: true, or with tools'],
    ['the nearer of two', [[stream], forced], [[]], 'a request with stream: true'],
    ['no stream, where all is streamed', [[]], [[stream]], 'a request without stream'],
    ['a plain text', [[]], [[stream, ...forced]], 'a request without stream and tools'],
    [
      'the same without stream',
      [forced],
      [[stream, ...forced]],
      'a request with tools and tool_choice: required, without stream',
    ],
    ['one that asks for less', [[stream]], [[stream, tools]], 'a request with stream: true, without tools'],
    [
      'another value',
      [[tools, 'tool_choice: a function']],
      [forced],
      'a request with tools and tool_choice: a function',
    ],
    ['any value', [[tools]], [forced], 'a request with tools, without tool_choice'],
    [
      'one that no request of several is',
      [forced],
      [
        [...forced, 'parallel_tool_calls: false'],
        [stream, ...forced],
      ],
      'a request with tools and tool_choice: required, without parallel_tool_calls and stream',
    ],
    [
      'one of many tools',
      [forced],
      [[...forced, 'a tool without parameters']],
      'a request with tools and tool_choice: required, without tools without parameters',
    ],
    ['unknown where one of those sent is such a one', [[], forced], [[stream], forced], null],
    ['unknown where none is known', [], [[]], null],
  ])('is %s', (_name, kinds, sent, needed) => {
    expect(requestNeeded(kinds, sent)).toBe(needed);
  });
});

test('no way to it is named twice', () => {
  expect(needsOf([[stream]], [[], [tools]])).toEqual([{ with: [stream], without: [] }]);
});
