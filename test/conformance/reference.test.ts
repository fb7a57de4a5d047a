import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const config = `
targets:
  demo:
    base_url: simulator
    limits: { concurrency: 32 }
    settings:
      thinking:
        default: ~
        enabled: { thinking: { type: enabled } }
        disabled: { thinking: { type: disabled } }
      reasoning_effort: { low: { reasoning_effort: low }, high: { reasoning_effort: high } }
    models: [sim-reference]
suites: [builtin:core, builtin:extended]
`;

// One seed could hide a document that only chance made right.
test.each([1, 2])(
  'a model that does everything right passes every cell of every built-in suite, seed %i',
  async (seed) => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, 'chatspec.yaml'), config);
    const run = await chatspec(['run', '--json', '--fail-on', 'fail', '--seed', String(seed)], { cwd });
    expect(run).toMatchObject({ code: 0 });
    const { cells, behaviours } = JSON.parse(run.stdout) as Report;
    expect(cells.length).toBeGreaterThan(200);
    expect(
      cells.filter(({ verdict }) => verdict !== 'pass').map(({ key, detail }) => `${key}: ${String(detail)}`),
    ).toEqual([]);
    expect(cells.filter(({ enforcement }) => enforcement !== null && enforcement !== 'enforced')).toEqual([]);
    expect(behaviours).toEqual([]);
  },
);
