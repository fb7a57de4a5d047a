import { expect, test } from 'vitest';
import { project } from './program.js';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const suiteWith = (name: string): string => `suite: pictures
probes:
  see:
    capability: input.image
    request: { messages: [{ role: user, content: [{ type: image_url, image_url: { url: { $data: ${name} } } }] }] }
`;

test('a picture goes into the request as a data URL; what is none is an error', async () => {
  const work = await project({
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [pictures.yaml]\n',
    'pictures.yaml': suiteWith('./seven.txt'),
    'seven.txt': 'seven',
  });
  expect((await work.chatspec('validate')).code).toBe(2);
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${work.folder}/seven.png`, Buffer.from(pixel, 'base64'));
  await work.write({ 'pictures.yaml': suiteWith('./seven.png') });
  await work.chatspec('run --trials 1 --out seen');
  expect(await work.read('seen/journal.jsonl')).toContain(`data:image/png;base64,${pixel}`);
  await work.write({ 'pictures.yaml': suiteWith('../seven.png') });
  expect((await work.chatspec('validate')).code).toBe(2);
});
