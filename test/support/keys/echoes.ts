/** The body of an answer that gives the key back; `cut`: the connection ends before the announced length. */
export interface Echo {
  readonly body: string;
  readonly cut?: boolean;
}

type EchoOf = (key: string) => Echo;

/** A whole plain answer. */
function plain(message: object, more: object = {}): Echo {
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
  return { body: JSON.stringify({ id: 'c-1', object: 'chat.completion', choices: [choice], ...more }) };
}

const says = (content: string): Echo => plain({ content });

const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm' };
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, index = 0, more: object = {}): string =>
  data({ ...head, choices: [{ index, delta, finish_reason: null, ...more }] });
const end = `${data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`;

const stream = (chunks: readonly string[]): Echo => ({
  body: [chunk({ role: 'assistant', content: 'Hi ' }), ...chunks, end].join(''),
});

/** The letters of a text, one for each chunk. */
const letters = (text: string, chunkOf: (letter: string, at: number) => string): Echo =>
  stream(Array.from(text, chunkOf));

const content = (letter: string): string => chunk({ content: letter });
const call = (fields: object, args: string, more: object = {}): object => ({
  tool_calls: [{ ...fields, type: 'function', function: { ...more, arguments: args } }],
});

const hex = (text: string): string => Buffer.from(text).toString('hex');
const everyByte = (text: string, spell: (byte: string) => string): string => hex(text).replace(/../g, spell);
const percent = (text: string): string => everyByte(text, (byte) => `%${byte}`);
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Spellings of a key that stand in one text. */
export const spellings: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'percent-encoded': encodeURIComponent,
  'percent-encoded, every byte': percent,
  'percent-encoded here and there': (key) => key.slice(0, 3) + percent(key.slice(3, 5)) + key.slice(5),
  'in hex': hex,
  'in upper-case hex': (key) => hex(key).toUpperCase(),
  'in base64': base64,
  'in base64 after a name': (key) => base64(`user:${key}`),
  'in base64 for addresses': (key) => Buffer.from(`ab${key}`).toString('base64url'),
  'in base64 within an address': (key) => encodeURIComponent(base64(key)),
  'in JSON escapes': escaped,
  'as a name in inner JSON': (key) => JSON.stringify({ [key]: 1 }),
  'as an escaped name in inner JSON': (key) => `{"${escaped(key)}":1}`,
  'in JSON within JSON within JSON': (key) => JSON.stringify(JSON.stringify({ k: escaped(key) })),
};

const cutInDeltas: Readonly<Record<string, EchoOf>> = {
  'letter by letter': (key) => letters(key, content),
  'letter by letter, with carriage returns': (key) => {
    const echo = letters(key, content);
    return { ...echo, body: echo.body.replaceAll('\n', '\r\n') };
  },
  'letter by letter, in events of two data lines': (key) =>
    letters(key, (letter) => content(letter).replace('"choices":', '\ndata: "choices":')),
  'letter by letter, percent-encoded': (key) => letters(percent(key), content),
  'letter by letter, in hex': (key) => letters(hex(key), content),
  'letter by letter, in base64': (key) => letters(base64(key), content),
  'letter by letter, escaped': (key) => letters(key, (letter) => content('@@').replace('@@', escaped(letter))),
  'choices in turn': (key) =>
    letters(key, (letter, at) => chunk({ content: letter }, 0) + chunk({ content: 'abcde'[at % 5] }, 1)),
  'tool arguments': (key) => letters(key, (letter) => chunk(call({ index: 0, id: 'a' }, letter))),
  'tool arguments of two calls in turn': (key) =>
    letters(key, (letter, at) => chunk(call({ index: 0 }, letter)) + chunk(call({ index: 1 }, 'qrst'[at % 4] ?? ''))),
  'a call whose index drifts': (key) =>
    letters(key, (letter, at) => chunk(call({ index: at }, letter, at === 0 ? { name: 'f' } : {}))),
  'the name of a tool': (key) => letters(key, (letter) => chunk(call({ index: 0 }, '', { name: letter }))),
  reasoning: (key) => letters(key, (letter) => chunk({ reasoning_content: letter })),
  'reasoning and content in turn': (key) =>
    letters(key, (letter, at) => chunk({ reasoning_content: letter }) + chunk({ content: 'lmno'[at % 4] })),
  'a refusal': (key) => letters(key, (letter) => chunk({ refusal: letter })),
  'a list of parts in each delta': (key) =>
    letters(key, (letter) => chunk({ content: [{ type: 'text', text: letter }] })),
  'messages in place of deltas': (key) =>
    letters(key, (letter) =>
      data({ ...head, choices: [{ index: 0, message: { role: 'assistant', content: letter } }] }),
    ),
  'log-probabilities': (key) =>
    letters(key, (letter) =>
      chunk({}, 0, {
        logprobs: { content: [{ token: letter, top_logprobs: [{ token: letter }, { token: 'Q' }] }] },
      }),
    ),
  'a stream that is cut within': (key) => ({
    ...stream(Array.from(key.slice(0, -1), content)),
    body: [chunk({ role: 'assistant' }), ...Array.from(key.slice(0, -1), content)].join(''),
    cut: true,
  }),
  'an error at the end of a stream': (key) => stream([content('half'), data({ error: { message: `no ${key}` } })]),
};

const inOnePiece: Readonly<Record<string, EchoOf>> = {
  'a list of parts': (key) => plain({ content: Array.from(key, (text) => ({ type: 'text', text })) }),
  'a name in the answer': (key) => plain({ content: 'x' }, { [key]: { [key]: 1 } }),
  'the usage': (key) => plain({ content: 'x' }, { usage: { total_tokens: 3, note: key, [key]: 1 } }),
  'the finish reason': (key) => ({
    ...plain({}),
    body: plain({ content: 'x' }).body.replace('"stop"', JSON.stringify(key)),
  }),
  'a tool call': (key) =>
    plain({
      content: null,
      tool_calls: [{ id: key, type: 'function', function: { name: key, arguments: JSON.stringify({ [key]: [key] }) } }],
    }),
  'arguments as an object': (key) =>
    plain({ tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: { [key]: key } } }] }),
  'an error': (key) => ({
    body: JSON.stringify({ error: { message: `Incorrect key ${key}`, param: key, code: key, type: key } }),
  }),
  'an error page': (key) => ({
    body: `<html><title>${key}</title><a href="?k=${encodeURIComponent(key)}">${key}</a></html>`,
  }),
  'a number': (key) => ({ body: says('x').body.replace('{', `{"n":${hexNumber(key)},`) }),
  'a plain answer that is cut': (key) => ({ body: `{"choices":[{"x":"${key}","y`, cut: true }),
  'two answers in one': (key) => ({ body: says('x').body + says(escaped(key)).body }),
  'a document that is too deep': (key) => ({
    body: `${'{"a":'.repeat(600)}"${escaped(key)}"${'}'.repeat(600)}`,
  }),
};

/** Only a key of digits can stand in a number. */
const hexNumber = (key: string): string => (/^[1-9]\d*$/.test(key) ? key : '1');

/** Every way in which a service of the tests gives the key back, by name. */
export const echoes: Readonly<Record<string, EchoOf>> = {
  ...Object.fromEntries(
    Object.entries(spellings).flatMap(([name, spell]) => [
      [`the content, ${name}`, (key: string) => says(`It is ${spell(key)}, yes.`)],
    ]),
  ),
  ...Object.fromEntries(Object.entries(cutInDeltas).map(([name, echo]) => [`stream: ${name}`, echo])),
  ...inOnePiece,
};
