import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/json.js';
import { type SeenInAnswer, seenInAnswer } from '../../src/clients/seen-in-answer.js';
import { simulate } from '../../src/simulator/index.js';
import { projectFolder } from '../support/documents.js';

/** Whether each model of "Choosing a model" in docs/simulator.md does what the table says, with the request that it names. */

const messages = [{ role: 'user', content: 'Say hi.' }];
const schema = {
  type: 'object',
  properties: { buyer: { type: 'string' } },
  required: ['buyer'],
  additionalProperties: false,
};
const asSchema = { response_format: { type: 'json_schema', json_schema: { name: 'order', schema } } };
const tools = [{ type: 'function', function: { name: 'order', parameters: schema } }];

const plain = {};
const withoutTools = [plain, { stream: true }, asSchema, { response_format: { type: 'json_object' } }];
/** What the column "send" means: every request of the list has to meet it. */
const requests: Readonly<Record<string, readonly JsonObject[]>> = {
  'any request': [...withoutTools, { tools }, { tools, tool_choice: 'required' }],
  'a request without `tools`': withoutTools,
  '`response_format`': [asSchema, { response_format: { type: 'json_object' } }],
  '`response_format` json_schema with `additionalProperties: false`': [asSchema],
  '`response_format` json_schema': [asSchema, { ...asSchema, stream: true }],
  '`tool_choice` as an object': [{ tools, tool_choice: { type: 'function', function: { name: 'order' } } }],
  '`stream: true`': [{ stream: true }, { ...asSchema, stream: true }],
};

interface Answer extends SeenInAnswer {
  /** null where none began in time. */
  readonly status: number | null;
  readonly text: string;
  readonly complete: boolean;
}

/** What the first column means, of the answers of each model in turn. */
const meanings: Readonly<Record<string, readonly ((answer: Answer) => boolean)[]>> = {
  'correct answers': [(answer) => answer.class === null],
  'a 200 without content': [is200('empty_content')],
  'a 200 without a choice': [is200('malformed_response')],
  'prose instead of JSON': [is200('not_json')],
  'an error object in a 200': [(answer) => answer.status === 200 && 'error' in (JSON.parse(answer.text) as object)],
  'an answer that was cut at the cap on tokens': [is200('truncated')],
  'a refusal, a content filter': [is200('refused'), is200('filtered')],
  '500 or 400 for object-form `tool_choice`': [({ status }) => status === 500, ({ status }) => status === 400],
  'an empty balance': [(answer) => answer.status === 429 && answer.text.includes('quota')],
  'a connection that breaks': [(answer) => answer.class === 'transport' || answer.class === 'truncated'],
  'a connection that hangs': [({ status }) => status === null],
  'a stream that breaks off': [({ text }) => !text.includes('[DONE]') && !/"finish_reason":"/.test(text)],
  'a stream without `[DONE]`, with empty `choices`': [
    ({ class: failed, text }) => failed === null && !text.includes('[DONE]'),
    ({ quirks, text }) => quirks.includes('empty_choices_chunk') && /^data: \{[^\n]*"choices":\[\]/.test(text),
  ],
};

function is200(wanted: string): (answer: Answer) => boolean {
  return (answer) => answer.status === 200 && answer.class === wanted;
}

const rows = await rowsOfTable();

async function rowsOfTable() {
  const page = await readFile(join(projectFolder, 'docs', 'simulator.md'), 'utf8');
  const [, section = ''] = page.split(/^## Choosing a model$/m);
  const lines = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [handles = '', send = '', models = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { handles, send, models: models.match(/sim-[\w-]+/g) ?? [] };
  });
}

async function answersOf(models: readonly string[], asked: readonly JsonObject[]): Promise<readonly Answer[]> {
  const seen: (SeenInAnswer & { readonly complete: boolean })[] = [];
  const simulator = await simulate({
    log: 0,
    onAnswer: (answer) => void seen.push({ ...seenInAnswer(answer), complete: answer.complete }),
  });
  const answers: Answer[] = [];
  try {
    for (const body of models.flatMap((model) => asked.map((one) => ({ model, messages, ...one })))) {
      let status: number | null = null;
      const text = await fetch(`${simulator.baseUrl}/chat/completions`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer any' } },
        ...{ body: JSON.stringify(body), signal: AbortSignal.timeout(500) },
      })
        .then((response) => {
          ({ status } = response);
          return response.text();
        })
        .catch(() => '');
      answers.push({ ...{ class: null, quirks: [], value: null, complete: false }, ...seen.pop(), status, text });
    }
  } finally {
    await simulator.close();
  }
  return answers;
}

test.each(rows.flatMap((row) => row.models.map((model, index) => ({ ...row, model, index }))))(
  '$model: $handles',
  async ({ handles, send, model, index, models }) => {
    const asked = requests[send] ?? [];
    expect(asked, `what "${send}" means`).not.toEqual([]);
    if (handles === 'a rate limit that the second attempt passes') {
      const statuses = await answersOf([model], [asSchema, asSchema]);
      expect(statuses.map(({ status }) => status)).toEqual([429, 200]);
      return;
    }
    if (handles === 'output that breaks the schema in half of all answers') {
      const many = Array.from({ length: 40 }, (_, at) => ({
        ...asSchema,
        messages: [{ role: 'user', content: `Say ${at}` }],
      }));
      const broken = (await answersOf([model], many)).filter((answer) => answer.class === 'schema_violation');
      expect(broken.length).toBeGreaterThan(8);
      expect(broken.length).toBeLessThan(32);
      return;
    }
    const meant = meanings[handles];
    expect(meant, `what "${handles}" means, of each of its models`).toHaveLength(models.length);
    for (const answer of await answersOf([model], asked))
      expect(meant?.[index]?.(answer), JSON.stringify(answer)).toBe(true);
  },
);

test('the table has models for every kind of trouble', () => {
  expect(rows.map(({ handles }) => handles)).toEqual(expect.arrayContaining(Object.keys(meanings)));
});

test('a model whose request the table names answers another one as the reference does', async () => {
  const narrow = rows.filter(({ send }) => !(requests[send] ?? []).includes(plain)).flatMap(({ models }) => models);
  for (const answer of await answersOf(narrow, [plain])) expect(answer).toMatchObject({ status: 200, class: null });
});
