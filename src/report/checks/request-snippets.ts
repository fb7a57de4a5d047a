import { shellWord } from '../words/shell-word.js';

export type FormName = 'json_schema' | 'json_object' | 'tools';

/** How a service is reached. */
export interface AskedService {
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  readonly headers: Readonly<Record<string, string | { readonly env: string }>>;
}

interface RequestSnippets {
  readonly curl: string;
  readonly openai: string;
}

/** How to send the body that stands in `file`, in two ways. They name the variables of keys, never keys. */
export function requestSnippets(service: AskedService, form: FormName, file: string): RequestSnippets {
  return { curl: curl(service, file), openai: openai(service, form, file) };
}

function curl({ baseUrl, apiKeyEnv, headers }: AskedService, file: string): string {
  const simulated = baseUrl === 'simulator';
  const url = simulated ? '"$BASE_URL/chat/completions"' : shellWord(`${baseUrl}/chat/completions`);
  const more = Object.entries(headers).map(([name, value]) =>
    typeof value === 'string' ? `-H ${shellWord(`${name}: ${value}`)}` : `-H "${name}: $${value.env}"`,
  );
  return [
    `curl -sS ${url}`,
    ...(apiKeyEnv === null ? [] : [`-H "Authorization: Bearer $${apiKeyEnv}"`]),
    ...more,
    `-H 'Content-Type: application/json'`,
    `--data ${shellWord(`@${file}`)}`,
  ].join(' \\\n  ');
}

function openai({ baseUrl, apiKeyEnv, headers }: AskedService, form: FormName, file: string): string {
  const address = baseUrl === 'simulator' ? `process.env['BASE_URL']` : JSON.stringify(baseUrl);
  const key = apiKeyEnv === null ? `'none'` : `process.env[${JSON.stringify(apiKeyEnv)}]`;
  const more = Object.entries(headers).map(
    ([name, value]) =>
      `${JSON.stringify(name)}: ${typeof value === 'string' ? JSON.stringify(value) : `process.env[${JSON.stringify(value.env)}]`}`,
  );
  const options = [
    `baseURL: ${address}`,
    `apiKey: ${key}`,
    ...(more.length === 0 ? [] : [`defaultHeaders: { ${more.join(', ')} }`]),
  ];
  const result = form === 'tools' ? 'message.tool_calls[0].function.arguments' : 'message.content';
  return [
    `import OpenAI from 'openai';`,
    `import { readFileSync } from 'node:fs';`,
    `const client = new OpenAI({ ${options.join(', ')} });`,
    `const body = JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'));`,
    `const { choices: [{ message, finish_reason }] } = await client.chat.completions.create(body);`,
    `const value = JSON.parse(${result}); // then validate it: a 200 promises nothing`,
  ].join('\n');
}
