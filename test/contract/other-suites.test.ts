import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Report } from './facts.js';
import { project } from './program.js';

/** The example that shows how cases of other suites become probes. */
const example = new URL('../../examples/other-suites.yaml', import.meta.url);

/** Probes with a model for which they must fail. */
const wrong = {
  'required-call': 'sim-no-call',
  'declared-on-the-way': 'sim-no-call',
  chunks: 'sim-usage-in-every-chunk',
  schemas: 'sim-wrong-type',
};

test('the example passes on the reference without a warning, and its probes refuse what is wrong', async () => {
  const models = ['sim-reference', ...new Set(Object.values(wrong))];
  const work = await project({
    'chatspec.yaml': `targets: { demo: { base_url: simulator, models: [${models.join(', ')}] } }\nsuites: [other.yaml]\n`,
    'other.yaml': await readFile(example, 'utf8'),
  });
  const checked = await work.chatspec('validate');
  expect(checked.code, checked.stderr).toBe(0);
  expect(checked.stderr).toBe('');
  const { stdout } = await work.chatspec('run --json --fail-on never');
  const { cells } = JSON.parse(stdout) as Report;
  const verdicts = (model: string, probe: string): readonly string[] =>
    cells
      .filter(({ key }) => key.startsWith(`other-suites/${probe}`) && key.endsWith(`@demo/${model}`))
      .map(({ verdict }) => verdict);
  expect(new Set(verdicts('sim-reference', ''))).toEqual(new Set(['pass']));
  expect(verdicts('sim-reference', '').length).toBe(8);
  for (const [probe, model] of Object.entries(wrong))
    expect(verdicts(model, probe), `${probe} ${model}`).toContain('fail');
});
