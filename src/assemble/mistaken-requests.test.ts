import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inWords, placeOf, problemsOf, type SuiteText, suiteOf } from '../../test/support/read-suite-text.js';

type Mistake = SuiteText & { readonly at: string; readonly says: string };

const file = new URL('../../fixtures/mistakes/requests.yaml', import.meta.url);
const groups = parse(readFileSync(file, 'utf8')) as Record<string, readonly Mistake[]>;

describe.each(Object.entries(groups))('%s', (_group, mistakes) => {
  test.each(mistakes)('$at: $says', async (mistake) => {
    const { at, says, config } = mistake;
    const suite = suiteOf(mistake);
    const found = await problemsOf(suite, config, mistake.files);
    expect(found.map(inWords)).toEqual([expect.stringMatching(new RegExp(says))]);
    const inConfig = config?.includes(at) === true;
    expect(inWords(found[0]!)).toMatch(new RegExp(`^${placeOf(inConfig ? config : suite, at)} error `));
    expect(found[0]!.place!.file).toMatch(inConfig ? /chatspec\.yaml$/ : /s\.yaml$/);
    expect(found[0]!.frame).toContain('^');
  });
});
