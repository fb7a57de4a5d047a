import { expect, test } from 'vitest';
import { lastWords, saidError } from './said-error.js';

const frames = '  File "/app/app.py", line 3, in <module>\n    ask()\n    ~~~^^\n';
const trace = (error: string): string => `Traceback (most recent call last):\n${frames}${error}\n`;
const group = `  + Exception Group Traceback (most recent call last):
  |   File "/app/app.py", line 9, in <module>
  |     main()
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/app.py", line 2, in one
    | KeyError: 'inner'
    |
    | During handling of the above exception, another exception occurred:
    |
    | Traceback (most recent call last):
    |   File "/app/app.py", line 2, in one
    | shop.NoAnswer: the first
    +---------------- 2 ----------------
    | TypeError: the second
    +------------------------------------
`;
const java = `Exception in thread "main" com.shop.ShopException: no answer
\tat com.shop.Client.ask(Client.java:10)
\tat com.app.Main.main(Main.java:5)
\tSuppressed: java.io.IOException: closing
\t\tat com.shop.Client.close(Client.java:12)
Caused by: com.fasterxml.JsonException: Cannot deserialize value
 at [Source: (String); line: 1] (through reference chain: Answer["choices"])
\tat com.shop.Client.read(Client.java:20)
\t... 3 more
Caused by: java.lang.IllegalStateException: choices is not set
\t... 9 more
`;
const javaCause = 'java.lang.IllegalStateException: choices is not set';
const goPanic = (panic: string): string =>
  `${panic}\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:9 +0x1d\nexit status 2\n`;

test.each([
  ['a Python error', trace('ValueError: no'), 'ValueError: no'],
  [
    'the last of a chain, not its cause, whatever its name',
    `${trace('httpx.ConnectError: cause')}\nThe above exception was the direct cause of the following exception:\n\n${trace('shop.Gone: no answer')}`,
    'shop.Gone: no answer',
  ],
  [
    'one raised while another was handled',
    `${trace('KeyError: 1')}\nDuring handling of the above exception, another exception occurred:\n\n${trace('Retried: 2')}`,
    'Retried: 2',
  ],
  [
    'a message of several lines, with its field',
    trace('pydantic_core.ValidationError: 1 validation error for Answer\nchoices\n  Field required [type=missing]'),
    'pydantic_core.ValidationError: 1 validation error for Answer choices Field required [type=missing]',
  ],
  [
    'no error that Python ignores',
    `${trace('ValueError: no')}Exception ignored in: <f>\n${trace('E: closed')}`,
    'ValueError: no',
  ],
  ['the first of a group, and its last', group, 'shop.NoAnswer: the first'],
  ['a group behind a cause', `${trace('KeyError: 1')}\nDuring handling of x:\n\n${group}`, 'shop.NoAnswer: the first'],
  ['the panic of a Go program', goPanic('panic: no answer'), 'panic: no answer'],
  [
    'a nil pointer, not an address',
    goPanic('panic: runtime error: nil pointer\n[signal SIGSEGV: code=0x1 addr=0x0 pc=0x4]'),
    'panic: runtime error: nil pointer',
  ],
  ['the last of several panics', goPanic('panic: one [recovered]\n\tpanic: two'), 'panic: two'],
  [
    'an error that Go cannot recover',
    goPanic('fatal error: all goroutines are asleep - deadlock!'),
    'fatal error: all goroutines are asleep - deadlock!',
  ],
  ['the last cause of a Java error', java, javaCause],
  ['a Java error without a cause', java.slice(0, java.indexOf('\tSuppressed')), 'com.shop.ShopException: no answer'],
  [
    'the field of a Java error',
    java.slice(0, java.indexOf('Caused by: java')),
    'com.fasterxml.JsonException: Cannot deserialize value at [Source: (String); line: 1] (through reference chain: Answer["choices"])',
  ],
  [
    'the last of two Java errors',
    `${java}com.shop.Last: end\n\tat com.app.Main.main(Main.java:7)\n`,
    'com.shop.Last: end',
  ],
  [
    'an error of Node.js',
    'x.mjs:3\nthrow\n^\n\nTypeError: no\n    at x.mjs:3\n  [cause]: Error: deep\n      at y.mjs:1\n\nNode.js v20\n',
    'TypeError: no',
  ],
  ['one with members', 'APICallError: no\n    at x.mjs:3 {\n  status: 4\n}\n\nNode.js v20', 'APICallError: no'],
  ['a name alone', 'warning\nRangeError: far\n', 'RangeError: far'],
  ['nothing where nothing is named', 'HTTP 500\n', null],
  ['nothing where nothing is said', '', null],
])('finds %s', (_name, output, said) => {
  expect(saidError(output)).toBe(said);
});

test.each([
  ['no shop\nexit status 1\n', 'no shop'],
  ['2026/11/28 09:00:01 no shop\nexit status 1\n', 'no shop'],
  ['no shop\n\nNode.js v20.19.0\n', 'no shop'],
  ['\n', ''],
])('the last words of %j', (output, said) => {
  expect(lastWords(output)).toBe(said);
});
