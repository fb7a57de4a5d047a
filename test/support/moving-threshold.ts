import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../src/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from './cli.js';
import { tempFolder } from './temp-folder.js';

/** The only cell of {@link aMovingThreshold}. */
export const searched = 's/least@demo/m';

/** A project that searches for the least cap of one model, whose need can change between command lines. */
export async function aMovingThreshold() {
  const folder = await tempFolder();
  const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
  const text = (...path: string[]) => readFile(join(folder, ...path), 'utf8');
  await writeFiles(folder, {
    's.yaml': `suite: s
probes:
  least:
    request: { messages: [{ role: user, content: Say hello. }] }
    find: { axis: max_tokens, from: 64, to: 4096, tolerance: 0.125 }
`,
  });
  /** Runs command lines while the model cuts every answer whose cap is lower. */
  const needing = async (cap: number, lines: readonly string[]) => {
    await writeFiles(folder, {
      'profiles/m.yaml': `profiles:
  - id: m
    summary: Needs a larger cap than its answers are long.
    source: A threshold that moves.
    traits: {}
    faults: [{ when: { max_tokens_below: ${cap} }, do: { finish_reason: length } }]
`,
    });
    const service = await startSimulator({ profiles: join(folder, 'profiles') });
    try {
      await writeFiles(folder, {
        'chatspec.yaml': `targets:
  demo: { base_url: "${service.baseUrl}", models: [m] }
suites: [s.yaml]
baseline: baseline.yaml
`,
      });
      const results = [];
      for (const line of lines) results.push(await run(line));
      return results;
    } finally {
      await service.close();
    }
  };
  const cellOf = async (name: string) =>
    (JSON.parse(await text(name, 'report.json')) as Report).cells.find((cell) => cell.key === searched);
  return { folder, run, text, needing, cellOf };
}
