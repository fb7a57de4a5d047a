import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { simulate, type WrittenProfile } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** A model that never repeats anything: it answers in prose, or under a schema with any conforming value. */
const babbler: WrittenProfile = {
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
  const simulator = await simulate({ seed: 1, profiles: [babbler] });
  try {
    const target = { base_url: simulator.baseUrl, models: ['babbler'] };
    await writeFiles(folder, {
      'chatspec.yaml': JSON.stringify({ targets: { babble: target }, suites: ['babble.yaml'] }),
      'babble.yaml': JSON.stringify({ suite: 'babble', probes }),
    });
    await chatspec(['run', '--out', 'run', '--seed', '1'], { cwd: folder });
    const { cells } = JSON.parse(await readFile(join(folder, 'run', 'report.json'), 'utf8')) as Report;
    const enforcement = Object.fromEntries(cells.map((cell) => [cell.key.replace(/@.*/, ''), cell.enforcement]));
    expect(enforcement['babble/enum[channel=response_format]']).toBe('enforced');
    expect(enforcement['babble/minimum[channel=response_format]']).toBe('enforced');
    expect(enforcement['babble/minimum-decided[channel=response_format]']).toBe('enforced');
  } finally {
    await simulator.close();
  }
});
