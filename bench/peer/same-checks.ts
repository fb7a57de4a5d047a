import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The same requests for both: an invoice as JSON, under its schema, so many times, so many at once. */
export const checks = 2000;
export const concurrency = 50;

const schemaFile = resolve('fixtures/schemas/invoice.json');
const messages = [
  { role: 'system', content: 'Extract the invoice as JSON.' },
  { role: 'user', content: 'INV-2026-0501, Huang Trading Ltd., 3 keyboards at 299 CNY, 2 mice at 99.50 CNY.' },
];
const format = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: 'invoice', strict: true, schema },
});

/** A project of chatspec with one probe. */
export function writeChatspecProject(folder: string, origin: string): void {
  mkdirSync(join(folder, 'schemas'), { recursive: true });
  cpSync(schemaFile, join(folder, 'schemas', 'invoice.json'));
  const request = { messages, response_format: format({ $ref: './schemas/invoice.json' }) };
  const target = { base_url: `${origin}/v1`, api_key_env: 'PEER_KEY', limits: { concurrency }, models: ['engine'] };
  write(folder, 'suite.yaml', { suite: 'peer', probes: { invoice: { request } } });
  write(folder, 'chatspec.yaml', { targets: { stub: target }, suites: ['suite.yaml'], max_unmeasured: 0 });
}

/** A config of promptfoo with as many tests, each of which asserts that the answer is JSON that conforms. */
export function writePromptfooConfig(folder: string, origin: string): void {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as object;
  mkdirSync(folder, { recursive: true });
  write(folder, 'promptfooconfig.json', {
    prompts: [JSON.stringify(messages)],
    providers: [{ id: 'openai:chat:engine', config: { apiBaseUrl: `${origin}/v1`, response_format: format(schema) } }],
    defaultTest: { assert: [{ type: 'is-json', value: schema }] },
    tests: Array.from({ length: checks }, (_, index) => ({ vars: { number: String(index) } })),
  });
}

function write(folder: string, name: string, content: object): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}
