import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aMovingThreshold } from '../support/moving-threshold.js';

/** A recorded search of a model that needs a cap of 500, and a way to change what the baseline says of it. */
async function recorded() {
  const { folder, run, text, needing, cellOf } = await aMovingThreshold();
  await needing(500, ['run --out night', 'baseline accept night']);
  const accept = async (value: number) => {
    const accepted = await text('baseline.yaml');
    expect(accepted).toContain('value: 512');
    await writeFile(join(folder, 'baseline.yaml'), accepted.replaceAll('value: 512', `value: ${value}`));
  };
  return { run, cellOf, accept };
}

test.each([256, 640, 1024, 2000, 4000])(
  'a search is concluded from what was recorded although the baseline says %d by now',
  async (value) => {
    const { run, cellOf, accept } = await recorded();
    const before = await cellOf('night');
    expect(before).toMatchObject({ verdict: 'pass', threshold: { value: 512 } });
    await accept(value);
    const { stdout } = await run('rejudge night');
    const after = await cellOf('night-rejudged');
    expect(after).toMatchObject({ verdict: 'pass', threshold: before?.threshold });
    expect(stdout).not.toContain('Nothing has changed');
  },
);
