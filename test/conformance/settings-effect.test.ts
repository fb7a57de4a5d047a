import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

const thinking = {
  default: null,
  enabled: { thinking: { type: 'enabled' } },
  disabled: { thinking: { type: 'disabled' } },
};

/** A suite of a user's own varies a setting and says nothing of what it does. */
const suite = `suite: shop
probes:
  refund:
    request: { messages: [{ role: user, content: Which is the shortest way to a refund? }] }
    vary: { thinking: { settings: thinking } }
`;

test('a setting that changes nothing is ineffective, and one that works passes', async () => {
  const cwd = await lastingFolder();
  const models = ['sim-thinker', 'sim-reference', 'sim-thinking-ineffective', 'sim-thinking-stuck'];
  const targets = { demo: { base_url: 'simulator', models, settings: { thinking } } };
  await writeFiles(cwd, {
    'shop.yaml': suite,
    'chatspec.yaml': JSON.stringify({ targets, suites: ['shop.yaml'] }),
  });
  await chatspec(['run', '--out', 'out', '--format', 'json', '--fail-on', 'never'], { cwd });
  const { cells } = JSON.parse(await readFile(join(cwd, 'out', 'report.json'), 'utf8')) as Report;
  const of = (model: string) =>
    Object.fromEntries(
      cells
        .filter((cell) => cell.model === `demo/${model}`)
        .map(({ point, class: failure, verdict }) => [String(point['thinking']), failure ?? verdict] as const),
    );
  const works = { default: 'pass', enabled: 'pass', disabled: 'pass' };
  expect(of('sim-thinker')).toEqual(works);
  expect(of('sim-reference')).toEqual(works);
  expect(of('sim-thinking-ineffective')).toEqual({ ...works, enabled: 'ineffective' });
  expect(of('sim-thinking-stuck')).toEqual({ ...works, disabled: 'ineffective' });
});
