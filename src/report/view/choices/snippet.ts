import { isObject, type Json, type JsonObject } from '../../../json/json.js';

/** A request that a reader can copy. */
export interface SnippetRequest {
  /** null: not known; the snippet reads it from the variable BASE_URL. */
  readonly baseUrl: string | null;
  /** The environment variable that holds the key, never the key itself. */
  readonly keyVariable: string;
  readonly body: JsonObject;
}

export interface Snippets {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

export function snippetsOf(request: SnippetRequest): Snippets {
  return { curl: curl(request), typescript: typescript(request), python: python(request) };
}

function curl({ baseUrl, keyVariable, body }: SnippetRequest): string {
  const url = baseUrl === null ? '"$BASE_URL/chat/completions"' : singleQuoted(`${baseUrl}/chat/completions`);
  return [
    `curl -sS${body['stream'] === true ? ' -N' : ''} ${url}`,
    `-H "Authorization: Bearer $${keyVariable}"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${singleQuoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');
}

/** Inside single quotes, a shell interprets nothing. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescript({ baseUrl, keyVariable, body }: SnippetRequest): string {
  const url = baseUrl === null ? `process.env['BASE_URL']` : JSON.stringify(baseUrl);
  const streams = body['stream'] === true;
  // Members that the client's types do not know are sent all the same.
  const type = `OpenAI.ChatCompletionCreateParams${streams ? 'Streaming' : 'NonStreaming'}`;
  return [
    `import OpenAI from 'openai';`,
    '',
    `const client = new OpenAI({ baseURL: ${url}, apiKey: process.env[${JSON.stringify(keyVariable)}] });`,
    `const body = ${JSON.stringify(body, null, 2)};`,
    `const ${streams ? 'chunks' : 'completion'} = await client.chat.completions.create(body as ${type});`,
    ...(streams
      ? [
          'for await (const chunk of chunks) {',
          '  const delta = chunk.choices[0]?.delta;',
          `  process.stdout.write(delta?.content ?? '');`,
          ...('tools' in body
            ? [
                '  for (const call of delta?.tool_calls ?? [])',
                `    process.stdout.write(\`\${call.function?.name ?? ''}\${call.function?.arguments ?? ''}\`);`,
              ]
            : []),
          '}',
        ]
      : ['console.log(completion.choices[0]?.message);']),
  ].join('\n');
}

function python({ baseUrl, keyVariable, body }: SnippetRequest): string {
  const url = baseUrl === null ? 'os.environ["BASE_URL"]' : JSON.stringify(baseUrl);
  const known = Object.entries(body).filter(([name]) => knownMembers.has(name));
  const extra = Object.fromEntries(Object.entries(body).filter(([name]) => !knownMembers.has(name)));
  const streams = body['stream'] === true;
  return [
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${url}, api_key=os.environ[${JSON.stringify(keyVariable)}])`,
    `${streams ? 'chunks' : 'completion'} = client.chat.completions.create(`,
    ...known.map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},`),
    ...(Object.keys(extra).length === 0 ? [] : [`    extra_body=${pythonLiteral(extra, 1)},`]),
    ')',
    ...(streams
      ? [
          'for chunk in chunks:',
          '    if chunk.choices:',
          '        delta = chunk.choices[0].delta',
          '        print(delta.content or "", end="")',
          ...('tools' in body
            ? [
                '        for call in delta.tool_calls or []:',
                '            if call.function:',
                '                print(call.function.name or "", call.function.arguments or "", sep="", end="")',
              ]
            : []),
        ]
      : ['print(completion.choices[0].message)']),
  ].join('\n');
}

/** Parameters that the openai client names; it refuses others, unless they are in its extra body. */
const knownMembers: ReadonlySet<string> = new Set(
  (
    'model messages max_tokens max_completion_tokens temperature top_p n stream stream_options stop seed tools tool_choice ' +
    'response_format reasoning_effort logprobs top_logprobs presence_penalty frequency_penalty logit_bias user ' +
    'parallel_tool_calls metadata'
  ).split(' '),
);

function pythonLiteral(value: Json, depth: number): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  const inner = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${pythonLiteral(member, depth + 1)},\n`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join('')}${end}}`;
  }
  const items = value.map((item) => `${inner}${pythonLiteral(item, depth + 1)},\n`);
  return items.length === 0 ? '[]' : `[\n${items.join('')}${end}]`;
}
