import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import type { Report } from '../../src/matrix/report-format.js';
import { anIo } from '../support/io.js';
import { tempFolder } from '../support/temp-folder.js';

const config = `
targets:
  demo:
    base_url: simulator
    limits: { concurrency: 16 }
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
    const out: string[] = [];
    const errors: string[] = [];
    const io = anIo({ out: (text) => out.push(text), err: (text) => errors.push(text), cwd });
    const code = await runCli(['run', '--json', '--fail-on', 'fail', '--seed', String(seed)], io);
    expect({ code, errors: errors.filter((line) => !line.startsWith('chatspec: ')) }).toMatchObject({ code: 0 });
    const { cells, behaviours } = JSON.parse(out.join('')) as Report;
    expect(cells.length).toBeGreaterThan(200);
    expect(
      cells.filter(({ verdict }) => verdict !== 'pass').map(({ key, detail }) => `${key}: ${String(detail)}`),
    ).toEqual([]);
    expect(cells.filter(({ enforcement }) => enforcement !== null && enforcement !== 'enforced')).toEqual([]);
    expect(behaviours).toEqual([]);
  },
);
