const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Bodies that grow with `n`, a hundred bytes or so each: what a service may send as much of as it likes. */
export const largeAnswers: Readonly<Record<string, (n: number) => string>> = {
  'content deltas': (n) => stream(n, () => delta({ content: 'x' })),
  'argument deltas of one call': (n) => stream(n, (at) => call({ index: 0, ...named(at), function: argument(at) })),
  'argument deltas of many calls, interleaved': (n) =>
    stream(n, (at) => call({ index: at % 500, function: { name: 'f', arguments: '1' } })),
  'different name deltas': (n) => stream(n, (at) => call({ index: 0, function: { name: at % 2 === 0 ? 'f' : 'g' } })),
  'many calls by index': (n) =>
    stream(n, (at) => call({ index: at, id: `c${at}`, function: { name: 'f', arguments: '{}' } })),
  'many calls in one delta': (n) =>
    stream(1, () =>
      event([
        { index: 0, delta: { tool_calls: list(n, (at) => ({ index: at, id: `c${at}`, function: { name: 'f' } })) } },
      ]),
    ),
  'many choices in one chunk': (n) => stream(1, () => event(list(n, (index) => ({ index, delta: { content: 'x' } })))),
  'data lines in one event': (n) => `data: {"choices":[\n${'data: \n'.repeat(n)}data: ]}\n\n${end}`,
  'one huge line of escapes': (n) => `${delta({ content: '"\\\n'.repeat(n * 10) })}${end}`,
  'a line that never ends': (n) => `data: ${'x'.repeat(n * 50)}`,
  'plain content of blanks': (n) => plain({ content: `${' '.repeat(n * 50)}x` }),
  'plain content of deep brackets': (n) => plain({ content: '['.repeat(n * 10) + ']'.repeat(n * 10) }),
  'plain content of think tags': (n) => plain({ content: '<think>'.repeat(n * 10) }),
  'plain content that is a deep document': (n) => plain({ content: '['.repeat(n) + ']'.repeat(n) }),
  'plain parts': (n) => plain({ content: list(n, () => ({ type: 'text', text: 'x' })) }),
  'plain calls': (n) =>
    plain({
      tool_calls: list(n, (at) => ({ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })),
    }),
  'a deep body': (n) => '{"a":'.repeat(n) + '1' + '}'.repeat(n),
  errors: (n) => JSON.stringify({ error: list(n, () => ({ message: 'x' })) }),
  'an error of many names': (n) =>
    JSON.stringify({ error: Object.fromEntries(list(n, (at) => [`message${at}`, { message: `m${at}` }])) }),
  'an error of events': (n) => `data: {"error":{"message":"x"}}\n\n`.repeat(n),
  'plain content of fences': (n) => plain({ content: `\`\`\`\n${'\`\`\`\n '.repeat(n * 10)}x` }),
  'an HTML page': (n) => `<html>${'<title>'.repeat(n * 10)}`,
};

const stream = (n: number, chunk: (at: number) => string): string => list(n, chunk).join('') + end;
const event = (choices: unknown): string => `data: ${JSON.stringify({ ...head, choices })}\n\n`;
const delta = (fields: unknown): string => event([{ index: 0, delta: fields }]);
const call = (fragment: unknown): string => delta({ tool_calls: [fragment] });
const named = (at: number): object => (at === 0 ? { id: 'c1', type: 'function' } : {});
const argument = (at: number): object => (at === 0 ? { name: 'f', arguments: '{"a":"' } : { arguments: 'x' });
const plain = (message: object): string =>
  JSON.stringify({
    ...head,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  });
const list = <Item>(n: number, item: (at: number) => Item): Item[] => Array.from({ length: n }, (_, at) => item(at));
