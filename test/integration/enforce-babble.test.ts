import { expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driveService, planOf, service } from '../../bench/drive-service.js';
import { tempFolder } from '../support/temp-folder.js';

/** A model that never repeats anything: it answers in prose, or under a schema with any conforming value. */
const babbler = {
  id: 'babbler',
  summary: 'Babbles when it is not constrained.',
  source: 'a model with random weights',
  traits: {},
  faults: [
    { when: { response_format: ['none'], repeat: true }, do: { content: 'all warm plain', finish_reason: 'length' } },
  ],
};

const schemaOf = (property: object) => ({
  type: 'object',
  properties: { it: property },
  required: ['it'],
  additionalProperties: false,
});

test('on a model that babbles, a whole run finds an enum enforced from truncated answers, and a bound only with a looser schema', async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, 'profiles'));
  await writeFile(join(folder, 'profiles', 'babbler.yaml'), JSON.stringify({ profiles: [babbler] }));
  const bound = {
    keyword: 'minimum',
    schema: schemaOf({ type: 'number', minimum: 10 }),
    valid: { it: 12 },
    invalid: { it: 3 },
  };
  const probes = {
    enum: {
      enforce: { keyword: 'enum', schema: schemaOf({ enum: ['red'] }), valid: { it: 'red' }, invalid: { it: 'blue' } },
    },
    minimum: { enforce: bound },
    'minimum-decided': { enforce: bound, trials: { until: 'decided' } },
  };
  await writeFile(join(folder, 'babble.yaml'), JSON.stringify({ suite: 'babble', probes }));
  const work = await planOf(join(folder, 'babble.yaml'), folder, ['babbler'], { seed: 1, concurrency: 4 });
  const simulator = await service(folder, 1);
  try {
    const events = await driveService(work, simulator);
    const found = events.flatMap((event) => (event.type === 'cell' ? [[event.cell, event.finding] as const] : []));
    const enforcement = Object.fromEntries(
      found.map(([key, finding]) => [key.replace(/@.*/, ''), finding.enforcement]),
    );
    expect(enforcement['babble/enum[channel=response_format]']).toBe('enforced');
    expect(enforcement['babble/minimum[channel=response_format]']).toBe('enforced');
    expect(enforcement['babble/minimum-decided[channel=response_format]']).toBe('enforced');
  } finally {
    await simulator.close();
  }
});
