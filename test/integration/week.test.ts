import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startStory, storyAddress, type StoryDay } from '../support/pages/story-service.js';
import { builtChatspec, chatspec, normalised, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * A team's first week with a service. The transcript is what they see; read it from top to bottom after a change, as
 * somebody would who has never seen chatspec. The first of each command is of the built program, the others are faster.
 */

const config = (models: readonly string[]): string => `targets:
  service:
    base_url: ${storyAddress}
    api_key_env: CHATSPEC_API_KEY
    limits: { concurrency: 1 }
    models: [${models.join(', ')}]
suites: ['suites/*.yaml']
baseline: baseline.yaml
`;

const suite = `suite: shop
title: What our shop sends
probes:
  hello:
    capability: chat
    request: { messages: [{ role: user, content: Say hello. }] }
  task:
    capability: json_object
    request:
      messages: [{ role: user, content: Return a JSON object with the keys status and score. }]
      response_format: { type: json_object }
  order:
    capability: 'tool_choice.{{tool_choice}}'
    request:
      messages: [{ role: user, content: 'Order 3 keyboards for Li Lei, 897.00 CNY in total.' }]
      tools:
        - type: function
          function:
            name: create_order
            parameters:
              { type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false }
    vary:
      tool_choice: { required: required, object: { type: function, function: { name: create_order } } }
`;

/** The first lines of an output, with how many there are more. */
function cut(output: string, shown: number): string {
  const lines = output.split('\n');
  const left = lines.length - shown;
  return left <= 0 ? output : `${lines.slice(0, shown).join('\n')}\n(${left} more lines)\n`;
}

test('a week with chatspec, from init to the site', async () => {
  const folder = await tempFolder();
  const service = await startStory();
  const env = { CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' };
  let transcript = '';
  const played = new Set<string>();

  const say = (text: string): void => void (transcript += `\n# ${text}\n`);
  const run = async (line: string, shown = Infinity): Promise<void> => {
    const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const [command = ''] = args;
    const { code, stdout, stderr } = await (played.has(command) ? chatspec : builtChatspec)(args, { cwd: folder, env });
    played.add(command);
    const output = normalised(`${stderr}${stdout}`, folder)
      .replaceAll(service.baseUrl.replace(/:\d+/, ':<port>'), storyAddress)
      .replaceAll('http://127.0.0.1:<port>', new URL(storyAddress).origin)
      .replace(/retrying in \d+\.\d s/g, 'retrying in <n> s')
      .replace(/chatcmpl-[0-9a-f]+/g, 'chatcmpl-<id>')
      .replace(/\b00-[0-9a-f]{32}-[0-9a-f]{16}-\d\d\b/g, '<traceresponse>');
    transcript += `\n$ chatspec ${line}\n${cut(output, shown)}${code === 0 ? '' : `(exit ${String(code)})\n`}`;
  };
  const configure = async (...models: readonly string[]): Promise<void> =>
    writeFiles(folder, { 'chatspec.yaml': config(models).replaceAll(storyAddress, service.baseUrl) });
  const day = async (name: StoryDay): Promise<void> => service.become(name);
  const files = async (path: string): Promise<void> => {
    transcript += `\n$ ls ${path}\n${(await readdir(join(folder, path))).toSorted().join('\n')}\n`;
  };

  try {
    say('Monday. The starter files run against the embedded service.');
    await run('init');
    await run('validate');
    await run('run --tags smoke');

    say('chatspec.yaml now names the real service with model-a and model-b, and a suite of our own.');
    await writeFiles(folder, { 'suites/first.yaml': suite });
    await configure('model-a', 'model-b');
    await run('doctor');
    await run('list');

    say('The first run. model-b cannot take the object form of tool_choice; the team lives with it.');
    await run('run');
    await run('baseline accept reports/latest');

    say('Tuesday, a quiet night.');
    await run('run');

    say('Wednesday, a red night: model-a has begun to put its JSON objects into a code fence.');
    await day('red night');
    await run('run');
    await run('run --last-failed');
    await run("evidence reports/latest 'shop/task@service/model-a'", 40);
    await run('baseline accept reports/latest --dry-run');
    await run('baseline accept reports/latest');

    say('Thursday: model-c is new.');
    await day('new model');
    await configure('model-a', 'model-b', 'model-c');
    await run('run --models model-c');
    await run('baseline accept reports/latest');

    say('Friday: the service has retired model-b.');
    await day('retired model');
    await run('run');

    say('model-b leaves the config. A run whose budget was too small is continued.');
    await configure('model-a', 'model-c');
    await run('run --budget-requests 5');
    await run('run --resume --budget-requests 100');

    say('The weekend: two machines share a run, and a site shows the history.');
    await run('run --shard 1/2 --out shard-1');
    await run('run --shard 2/2 --out shard-2');
    await run('merge shard-1 shard-2 --out reports/runs/merged');
    await run('report reports/latest --site site');
    await files('site');
  } finally {
    await service.close();
  }
  await expect(transcript.trimStart()).toMatchFileSnapshot('__snapshots__/cli/week.txt');
});
