const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Bodies that grow with `n`, a hundred bytes or so each: what a service may send as much of as it likes. */
export const largeAnswers: Readonly<Record<string, (n: number) => string>> = {
  'content deltas': (n) => stream(n, () => delta({ content: 'x' })),
  'reasoning deltas': (n) => stream(n, () => delta({ reasoning_content: 'x' })),
  'content deltas in parts': (n) => stream(n, () => delta({ content: [{ type: 'text', text: 'x' }] })),
  'argument deltas of one call': (n) => stream(n, (at) => call({ index: 0, ...named(at), function: argument(at) })),
  'argument deltas, the name in each': (n) =>
    stream(n, (at) => call({ index: 0, id: 'c1', function: { ...argument(at), name: 'f' } })),
  'argument deltas, a new id in each': (n) =>
    stream(n, (at) => call({ index: 0, id: `c${at}`, function: { ...argument(at), name: 'f' } })),
  'argument deltas without an index': (n) => stream(n, (at) => call({ ...named(at), function: argument(at) })),
  'argument deltas without an index, the name in each': (n) =>
    stream(n, (at) => call({ function: { ...argument(at), name: 'f' } })),
  'argument deltas without an index, a new id in each': (n) =>
    stream(n, (at) => call({ ...(at > 0 && { id: `c${at}` }), function: argument(at) })),
  'argument deltas without an index, the id in the first of two calls': (n) =>
    stream(n, (at) => call({ id: at % 2 === 0 ? 'a' : 'b', function: { name: 'f', arguments: 'x' } })),
  'argument deltas of many calls, interleaved': (n) =>
    stream(n, (at) => call({ index: at % 500, function: { name: 'f', arguments: '1' } })),
  'name deltas': (n) => stream(n, () => call({ index: 0, function: { name: 'f' } })),
  'different name deltas': (n) => stream(n, (at) => call({ index: 0, function: { name: at % 2 === 0 ? 'f' : 'g' } })),
  'many calls by index': (n) =>
    stream(n, (at) => call({ index: at, id: `c${at}`, function: { name: 'f', arguments: '{}' } })),
  'many calls without an index': (n) =>
    stream(n, (at) => call({ id: `c${at}`, function: { name: 'f', arguments: '{}' } })),
  'many calls with one index': (n) =>
    stream(n, (at) => call({ index: 0, id: `c${at}`, function: { name: 'f', arguments: '{}' } })),
  'many calls in one delta': (n) =>
    stream(1, () =>
      event([
        { index: 0, delta: { tool_calls: list(n, (at) => ({ index: at, id: `c${at}`, function: { name: 'f' } })) } },
      ]),
    ),
  'many choices in one chunk': (n) => stream(1, () => event(list(n, (index) => ({ index, delta: { content: 'x' } })))),
  'many choices in many chunks': (n) => stream(n, (index) => event([{ index, delta: { content: 'x' } }])),
  'a finish_reason in each chunk': (n) => stream(n, () => event([{ index: 0, delta: {}, finish_reason: 'stop' }])),
  'ids that change': (n) => stream(n, (at) => `data: ${JSON.stringify({ ...head, id: `c-${at}`, choices: [] })}\n\n`),
  'data lines in one event': (n) => `data: {"choices":[\n${'data: \n'.repeat(n)}data: ]}\n\n${end}`,
  comments: (n) => `${': wait\n\n'.repeat(n)}${delta({ content: 'x' })}${end}`,
  'unknown lines': (n) => `${delta({ content: 'x' })}${'what is this\n'.repeat(n)}${end}`,
  'bare errors': (n) => `${delta({ content: 'x' })}${'[\n'.repeat(n)}${end}`,
  'blank lines': (n) => `${delta({ content: 'x' })}${'\n'.repeat(n)}${end}`,
  'empty events': (n) => `${delta({ content: 'x' })}${'event: x\ndata:\n\n'.repeat(n)}${end}`,
  'one huge line': (n) => `${delta({ content: 'x'.repeat(n * 50) })}${end}`,
  'one huge line of escapes': (n) => `${delta({ content: '"\\\n'.repeat(n * 10) })}${end}`,
  'a line that never ends': (n) => `data: ${'x'.repeat(n * 50)}`,
  'carriage returns': (n) => `${delta({ content: 'x' })}${'data:\r\r'.repeat(n)}${end}`,
  'plain text': (n) => 'x'.repeat(n * 50),
  blanks: (n) => `x${' '.repeat(n * 50)}x`,
  'line ends': (n) => `x${'\n'.repeat(n * 50)}x`,
  'plain content': (n) => plain({ content: 'word '.repeat(n * 10) }),
  'plain content of blanks': (n) => plain({ content: `${' '.repeat(n * 50)}x` }),
  'plain content of line ends': (n) => plain({ content: `x${'\n'.repeat(n * 50)}x` }),
  'plain content of brackets': (n) => plain({ content: '{'.repeat(n * 20) }),
  'plain content of closed brackets': (n) => plain({ content: '[] '.repeat(n * 20) }),
  'plain content of deep brackets': (n) => plain({ content: '['.repeat(n * 10) + ']'.repeat(n * 10) }),
  'plain content of quotes': (n) => plain({ content: '"'.repeat(n * 20) }),
  'plain content of backticks': (n) => plain({ content: '`'.repeat(n * 20) }),
  'plain content of tildes and lines': (n) => plain({ content: '~~~\n'.repeat(n * 10) }),
  'plain content of think tags': (n) => plain({ content: '<think>'.repeat(n * 10) }),
  'plain content of closing think tags': (n) => plain({ content: '</think '.repeat(n * 10) }),
  'plain content of angle brackets': (n) => plain({ content: '<'.repeat(n * 20) }),
  'plain content of call markup': (n) => plain({ content: '<function_call'.repeat(n * 5) }),
  'plain content of Kimi tokens': (n) => plain({ content: '<|tool_call_begin|> '.repeat(n * 5) }),
  'plain content of Kimi names': (n) => plain({ content: `<|tool_call_begin|>${'a.b'.repeat(n * 10)}` }),
  'plain content of TOOL_CALLS': (n) => plain({ content: `[TOOL_CALLS]${' '.repeat(n * 50)}` }),
  'plain content of digits': (n) => plain({ content: '9'.repeat(n * 50) }),
  'plain content that is a document': (n) => plain({ content: JSON.stringify(list(n, (at) => ({ at }))) }),
  'plain content that is a cut document': (n) =>
    plain({ content: JSON.stringify(list(n, (at) => ({ at }))).slice(0, -1) }),
  'plain content that is a deep document': (n) => plain({ content: '['.repeat(n) + ']'.repeat(n) }),
  'plain parts': (n) => plain({ content: list(n, () => ({ type: 'text', text: 'x' })) }),
  'plain calls': (n) =>
    plain({
      tool_calls: list(n, (at) => ({ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })),
    }),
  'plain calls with one id': (n) =>
    plain({ tool_calls: list(n, () => ({ id: 'c', type: 'function', function: { name: 'other', arguments: '' } })) }),
  'plain choices': (n) =>
    JSON.stringify({ ...head, choices: list(n, (index) => ({ index, message: { content: 'x' } })) }),
  'plain usage': (n) =>
    JSON.stringify({ ...head, choices: [], usage: Object.fromEntries(list(n, (at) => [`k${at}`, at])) }),
  'a deep body': (n) => '{"a":'.repeat(n) + '1' + '}'.repeat(n),
  'a deep body of lists': (n) => '['.repeat(n * 10),
  errors: (n) => JSON.stringify({ error: list(n, () => ({ message: 'x' })) }),
  'nested errors': (n) => JSON.stringify({ errors: list(n, () => [null]) }),
  'an error of many words': (n) => JSON.stringify({ error: { message: 'rate limit '.repeat(n * 5) } }),
  'an error of many names': (n) =>
    JSON.stringify({ error: Object.fromEntries(list(n, (at) => [`message${at}`, { message: `m${at}` }])) }),
  'an error of digits': (n) => JSON.stringify({ error: { message: '9'.repeat(n * 50) } }),
  'an error of many messages of digits': (n) =>
    JSON.stringify({ errors: Object.fromEntries(list(n / 50, (at) => [at, { message: '9'.repeat(2500) }])) }),
  'an error of blanks': (n) => JSON.stringify({ error: { message: `in${' '.repeat(n * 50)}x` } }),
  'an error of waits': (n) => JSON.stringify({ error: { message: `retry in ${'1m '.repeat(n * 10)}` } }),
  'an error of codes': (n) =>
    JSON.stringify({
      error: list(50, () => list(50, () => list(n / 2500, () => ({ code: '500', type: 'x', param: 'y' })))),
    }),
  'an error as text': (n) => `not JSON ${'9'.repeat(n * 50)}`,
  'an error of quoted names': (n) => JSON.stringify({ error: { message: "'a".repeat(n * 20) } }),
  'an error of words and slashes': (n) => JSON.stringify({ error: { message: 'a/'.repeat(n * 20) } }),
  'an error of events': (n) => `data: {"error":{"message":"x"}}\n\n`.repeat(n),
  'plain content of a fence and blanks': (n) => plain({ content: `\`\`\`${' '.repeat(n * 50)}x` }),
  'plain content of a fence and words': (n) => plain({ content: `\`\`\`${'a'.repeat(n * 50)} x` }),
  'plain content of a fence and line ends': (n) => plain({ content: `\`\`\`\n${'\n'.repeat(n * 50)}x` }),
  'plain content of fences': (n) => plain({ content: `\`\`\`\n${'\`\`\`\n '.repeat(n * 10)}x` }),
  'plain content of tags and blanks': (n) => plain({ content: `<think>${' '.repeat(n * 50)}` }),
  'plain content of a tag of letters': (n) => plain({ content: `</${'a'.repeat(n * 50)}` }),
  'plain content of tags with prefixes': (n) => plain({ content: '<a:'.repeat(n * 15) }),
  'plain content of closing tags of letters': (n) => plain({ content: '</aaaaaaaa'.repeat(n * 5) }),
  'plain content of escapes': (n) => plain({ content: '\\u0041'.repeat(n * 8) }),
  'plain content that is a string of strings': (n) =>
    plain({ content: JSON.stringify(JSON.stringify('x'.repeat(n * 30))) }),
  'plain content with one key': (n) => plain({ content: `{${list(n, () => '"a":1').join(',')}}` }),
  'plain content with many keys': (n) => plain({ content: `{${list(n, (at) => `"a${at}":1`).join(',')}}` }),
  'an HTML page': (n) => `<html>${'<title>'.repeat(n * 10)}`,
  'a page of comments': (n) => `${'<!-- '.repeat(n * 10)}<html>`,
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
