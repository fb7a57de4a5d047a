import { expect, test } from 'vitest';
import { spendProject, type Spend } from '../support/spend.js';
import { tempFolder } from '../support/temp-folder.js';

/** Models of every kind that changes what a run asks: refusals, server errors, blocked cells, retries, a flaky cell, thresholds. */
const models = [
  ...['sim-reference', 'sim-object-500', 'sim-rf-empty', 'sim-rf-prose', 'sim-schema-only'],
  ...['sim-budget', 'sim-wobbly', 'sim-enforce-none', 'sim-call-as-text'],
];

/** By how much of what was spent the expectation was off. */
const offBy = ({ listed, report }: Spend): number =>
  Math.abs(listed.requests.expected - report.run.requests) / report.run.requests;

const off = (spends: readonly Spend[]) =>
  spends.flatMap((spend) => {
    const { requests } = spend.report.run;
    const share = offBy(spend);
    return share <= 0.1 ? [] : `${spend.name}: ${spend.listed.requests.expected} listed, ${requests} spent`;
  });

const nightly = ['--tags', 'nightly'];

test('with a baseline, a night asks what was listed, within 10 %', async () => {
  const { night, accept } = spendProject(await tempFolder(), { demo: models });
  await night('the first night', ...nightly);
  await accept();
  const later = [
    await night('an unchanged night', ...nightly),
    await night('what failed', ...nightly, '--last-failed'),
    await night('one tag', '--tags', 'smoke'),
    await night('one suite', '--only', 'thinking/tools'),
    await night('what needs something', '--only', 'conflict/strict'),
    await night('keywords', '--only', 'schema/composite'),
    await night('smoke', ...nightly, '--profile', 'smoke'),
    await night('certify', '--tags', 'smoke', '--profile', 'certify'),
    await night('so many trials', '--tags', 'smoke', '--trials', '3'),
  ];
  expect(off(later)).toEqual([]);
});

test('so does one with thresholds, keywords and budgets', async () => {
  const { night, accept } = spendProject(await tempFolder(), {
    demo: ['sim-rf-empty', 'sim-budget', 'sim-enforce-none'],
  });
  const only = ['--only', 'budget/*,schema/enum,schema/description,schema/items'];
  await night('the first night', ...only);
  await accept();
  expect(off([await night('an unchanged night', ...only)])).toEqual([]);
});

test('of models that no baseline knows, what is likely holds what is spent', async () => {
  const { night } = spendProject(await tempFolder(), { demo: models });
  const first = await night('the first night', ...nightly);
  const [from, to] = first.listed.requests.likely;
  expect(first.report.run.requests).toBeGreaterThanOrEqual(from);
  expect(first.report.run.requests).toBeLessThanOrEqual(to);
  // They fail much, which nobody could know; once they have, it is known.
  expect(off([await night('what failed', ...nightly, '--last-failed')])).toEqual([]);
});

test('and a model that passes asks what was listed', async () => {
  const { night } = spendProject(await tempFolder(), { demo: ['sim-reference'] });
  const standard = await night('the first night', ...nightly);
  expect(standard.listed.requests.expected).toBe(standard.report.run.requests);
  expect(standard.report.run.requests).toBeLessThan(90);
  const certified = await night('certify', '--tags', 'smoke', '--profile', 'certify');
  expect(certified.listed.requests.expected).toBe(certified.report.run.requests);
});
