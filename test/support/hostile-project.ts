import { everyFormat } from './run-files.js';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { chatspec, type CliResult, writeFiles } from './cli.js';
import { lastingFolder } from './lasting-folder.js';
import { serveHttp } from './loopback.js';

/** What a hostile service, suite and config write into every text that they choose. */
export interface Hostility {
  /** In answers and headers. */
  readonly text: string;
  /** The name of the function that is called; by default, the same. */
  readonly called?: string;
  /** In titles, rule messages and baseline notes; by default, the same. */
  readonly written?: string;
  /** Model ids, which have no spaces and at most 200 characters. */
  readonly models: readonly string[];
}

/** A run on a hostile service, and what else can be done with its folder. */
export interface HostileProject {
  readonly folder: string;
  readonly run: CliResult;
  readonly chatspec: (...args: readonly string[]) => Promise<CliResult>;
  readonly close: () => Promise<void>;
}

const says = (word: string) => [{ role: 'user', content: `json ${word}` }];

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const strict = { ...schema, additionalProperties: false };
const format = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: strict } } };
const note = {
  type: 'function',
  function: { name: 'note', parameters: { type: 'object', properties: {}, additionalProperties: false } },
};

/** A rule's message may be a template, which begins with two braces. */
const literal = (text: string) => text.replace(/\{(?=\{)/g, '{ ');

function suiteOf(text: string): object {
  const title = literal(text);
  const probe = (request: object, more: object = {}) => ({ title, request, ...more });
  return {
    suite: 'hostile',
    title,
    probes: {
      text: probe(
        { messages: says('text') },
        { expect: { rules: [{ id: 'r', assert: 'value = "x"', message: title }] } },
      ),
      schema: probe({ messages: says('schema'), ...format }),
      stream: probe({ messages: says('stream'), stream: true, ...format }),
      refusal: probe({ messages: says('refusal') }),
      page: probe({ messages: says('page') }),
      wrong: probe({ messages: says('wrong'), tools: [note], tool_choice: 'required' }),
      many: probe({ messages: says('many'), tools: [note], tool_choice: 'required' }),
      finish: probe({ messages: says('finish') }),
      filtered: probe({ messages: says('filtered') }),
      named: { capability: 'json_schema', ...probe({ messages: says('schema'), ...format }) },
    },
    behaviours: [{ id: 'odd', title, when: "$fails('*')", advice: title }],
  };
}

type Say = (response: ServerResponse) => void;

/** The service's answer to each probe, by the second word of its prompt. */
function answersOf(text: string, called: string): Readonly<Record<string, Say>> {
  const header = text.replace(/[^ -~]/g, ' ').slice(0, 2000);
  const headers = { 'content-type': 'application/json', traceresponse: header, 'x-request-id': header, server: header };
  const json =
    (status: number, body: unknown): Say =>
    (response) =>
      void response.writeHead(status, headers).end(JSON.stringify(body));
  const around = { id: text, object: 'chat.completion', created: 1, model: text, system_fingerprint: text };
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10, [text]: 1 };
  const reply = (message: object, finish_reason = 'stop') =>
    json(200, { ...around, choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }], usage });
  const call = (name: string) => ({ id: text, type: text, function: { name, arguments: text } });
  const data = JSON.stringify({ total: text, [text]: 1 });
  return {
    ping: json(200, {
      ...around,
      ...{ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'pong' } }], usage },
    }),
    text: reply({ content: text, reasoning_content: text }),
    schema: reply({ content: data }),
    stream: (response) => {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
      const delta = { role: 'assistant', content: data };
      response.write(`data: ${JSON.stringify({ ...around, choices: [{ index: 0, delta }] })}\n\n`);
      const end = [{ index: 0, delta: {}, finish_reason: 'stop' }];
      response.end(`data: ${JSON.stringify({ ...around, choices: end, usage })}\n\ndata: [DONE]\n\n`);
    },
    refusal: json(400, { error: { message: text, type: text, param: text, code: text } }),
    page: (response) => void response.writeHead(418, { ...headers, 'content-type': 'text/html' }).end(`<p>${text}</p>`),
    wrong: reply({ content: text, tool_calls: [call(called)] }),
    many: reply({ content: null, tool_calls: [call(text), call(text)] }, 'tool_calls'),
    finish: reply({ content: text }, text),
    filtered: reply({ content: null, refusal: text }, 'content_filter'),
    gone: json(403, { error: { message: text, type: text, code: text } }),
  };
}

const env = { KEY: 'key-of-nobody-4711' };

/** Runs a suite of failing probes against a service whose every text is hostile; the last model answers nothing else. */
export async function hostileProject({
  text,
  called = text,
  written = text,
  models,
}: Hostility): Promise<HostileProject> {
  const answers = answersOf(text, called);
  const service = await serveHttp((_request, response, body) => {
    const { messages, model } = JSON.parse(body) as { messages: readonly { content: string }[]; model: string };
    const word = /^json (\w+)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? 'ping';
    (answers[model === 'locked' ? 'gone' : word] ?? answers['ping']!)(response);
  });
  const folder = await lastingFolder();
  const target = {
    ...{ base_url: service.baseUrl, api_key_env: 'KEY', limits: { concurrency: 8, retries: 0 } },
    models: [...models, 'locked'],
  };
  const config = { targets: { demo: target }, suites: ['suite.yaml'], out: 'out/run', baseline: 'baseline.yaml' };
  const known = {
    key: `hostile/text@demo/${models[0] ?? 'locked'}`,
    ...{ verdict: 'fail', class: 'not_json', date: '2026-01-01', note: written, link: written },
  };
  await writeFiles(folder, {
    'suite.yaml': JSON.stringify(suiteOf(written)),
    'chatspec.yaml': JSON.stringify(config),
    'baseline.yaml': JSON.stringify({ format: 'chatspec-baseline/1', covers: ['*@demo/*'], expect: [known] }),
  });
  const inFolder = (...args: readonly string[]) => chatspec(args, { cwd: folder, env });
  const run = await inFolder(...['run', '--trials', '3', '--fail-on', 'never', '--format', everyFormat]);
  return { folder, run, chatspec: inFolder, close: () => service.close() };
}

/** The path of a file of the run. */
export const runFile = ({ folder }: HostileProject, name: string): string => join(folder, 'out', 'run', name);
