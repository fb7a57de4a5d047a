import { expect, test } from 'vitest';
import { aMovingThreshold } from '../support/moving-threshold.js';

/** A threshold that rises and then falls, over the command line: told the first night, accepted, and quiet from then on. */

test('a threshold that moves is news the first night, before and after, and quiet once it is accepted', async () => {
  const { run, text, needing, cellOf } = await aMovingThreshold();
  await needing(500, ['run --out first', 'baseline accept first']);
  expect(await text('baseline.yaml')).toContain('value: 512');

  const [up] = await needing(1500, ['run --out up', 'rejudge up']);
  expect(up?.code).toBe(1);
  expect(up?.stdout.replaceAll(/\s+/g, ' ')).toMatch(/▼ m: .*: passes from 1536; 512 was enough/);
  for (const name of ['report.md', 'index.html', 'junit.xml'])
    expect(await text('up', name)).toContain('1536; 512 was enough');
  expect(await cellOf('up')).toMatchObject({ standing: 'regression', unsettled: false, threshold: { value: 1536 } });
  expect(await cellOf('up-rejudged')).toEqual(await cellOf('up'));
  expect((await run('diff first up')).stdout).toContain('passes from 512 → 1536');

  const [accepted, quiet] = await needing(1500, ['baseline accept up', 'run --out quiet']);
  expect(accepted?.stdout).toContain('1 changed');
  expect(await text('baseline.yaml')).toContain('value: 1536');
  expect(quiet?.code).toBe(0);
  expect(quiet?.stdout).toMatch(/^✓ /);

  const [down] = await needing(300, ['run --out down']);
  expect(down?.stdout.replaceAll(/\s+/g, ' ')).toMatch(/▲ m: .*: passes from 320; before, from 1536/);
  expect((await run('diff up down')).stdout).toContain('passes from 1536 → 320');

  const [again, calm] = await needing(300, ['baseline accept down', 'run --out calm']);
  expect(again?.stdout).toContain('1 changed');
  expect(await text('baseline.yaml')).toContain('value: 320');
  expect(calm).toMatchObject({ code: 0 });
  expect((await run('diff down calm')).stdout).not.toContain('thresholds');
});
