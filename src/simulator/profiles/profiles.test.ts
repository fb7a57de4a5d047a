import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { profilesFolder, samplesFolder } from '../../../test/support/ask-service.js';
import { loadBuiltin } from '../../../test/support/builtin-suites.js';
import { UserError, type Problem } from '../../files/problems/problem.js';
import { reasons, outcomeClasses } from '../../judge/outcome.js';
import { loadProfiles } from './load-profiles.js';

interface Result {
  readonly class?: string;
  readonly reason?: string;
}
interface Label {
  readonly profile: string;
  readonly innocent?: boolean;
  readonly unreachable?: Result;
  readonly cells?: readonly (Result & { readonly key: string })[];
  readonly behaviours?: readonly string[];
  readonly source: string;
}
const { labels } = parse(readFileSync(join(profilesFolder, 'labels.yaml'), 'utf8')) as { labels: readonly Label[] };

describe('the profiles of the package', () => {
  test('say what they do and where this was seen, and have one label each', async () => {
    const { profiles } = await loadProfiles([profilesFolder]);
    for (const { id, summary, source } of profiles.values()) expect([summary, source], id).not.toContain('');
    const ids = [...profiles.keys()];
    expect(labels.map((label) => label.profile).sort()).toEqual(ids.sort());
    for (const label of labels) {
      expect(
        label.innocent === true || label.unreachable !== undefined || (label.cells ?? []).length > 0,
        label.profile,
      ).toBe(true);
      expect(label.source, label.profile).not.toBe('');
    }
  });

  test('include a dozen for the demonstration', async () => {
    const profiles = [...(await loadProfiles([profilesFolder])).profiles.values()];
    expect(profiles.filter((profile) => profile.demo)).toHaveLength(12);
  });

  test('refer only to recordings and sample files that exist', async () => {
    for (const { id, faults } of (await loadProfiles([profilesFolder])).profiles.values()) {
      for (const { when, do: action } of faults) {
        const replay = action.respond?.replay;
        if (replay !== undefined) expect(existsSync(join(profilesFolder, replay)), id).toBe(true);
        for (const file of when.task ?? []) expect(existsSync(join(samplesFolder, `${file}.jsonl`)), id).toBe(true);
      }
    }
  });

  test('cover every public outcome class, reason and behaviour', async () => {
    const results = labels.flatMap((label) => [...(label.cells ?? []), label.unreachable ?? {}]);
    expect(new Set(results.flatMap((result) => result.class ?? []))).toEqual(new Set(outcomeClasses));
    expect(new Set(results.flatMap((result) => result.reason ?? []))).toEqual(new Set(reasons));
    const { suites } = await loadBuiltin('core');
    const builtin = suites.flatMap((suite) => suite.behaviours.map(({ id }) => id));
    expect(builtin).toHaveLength(9);
    expect(new Set(labels.flatMap((label) => label.behaviours ?? []))).toEqual(new Set(builtin));
  });
});

describe('a folder of profiles', () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });

  async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'profiles-'));
    folders.push(folder);
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    return folder;
  }

  async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly Problem[]> {
    const error: unknown = await loadProfiles([await folderWith(files)]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).problems;
  }

  const profile = (id: string, more = ''): string => `  - { id: ${id}, summary: s, source: x${more} }\n`;

  test('lets a profile inherit traits and faults, over several files', async () => {
    const folder = await folderWith({
      'b.yaml': `profiles:\n${profile('b', ', extends: a, traits: { thinking: { field: reasoning } }, faults: [{ do: { fence: json } }]')}`,
      'a.yaml': `profiles:\n${profile('a', ", traits: { thinking: { default: 'on' } }, faults: [{ when: { stream: true }, do: { drop_done: true } }]")}`,
    });
    const b = (await loadProfiles([folder])).profiles.get('b')!;
    expect(b.traits.thinking).toMatchObject({ default: 'on', field: 'reasoning', types: ['enabled', 'disabled'] });
    expect(b.faults).toEqual([
      { when: {}, do: { fence: 'json' } },
      { when: { stream: true }, do: { drop_done: true } },
    ]);
  });

  test.each([
    ['an unknown action', ', faults: [{ do: { fense: json } }]', 'unknown key "fense"', 'did you mean "fence"?'],
    [
      'an unknown condition',
      ', faults: [{ when: { strean: true }, do: { fence: a } }]',
      'unknown key "strean"',
      'did you mean "stream"?',
    ],
    ['an unknown parent', ', extends: parnet', 'there is no profile "parnet"', 'did you mean "parent"?'],
    ['a profile that extends itself', ', extends: b', 'in a circle', undefined],
    ['a rate above 1', ', faults: [{ when: { rate: 2 }, do: { fence: a } }]', 'must be <= 1', undefined],
    ['a fault that does nothing', ', faults: [{ do: {} }]', 'this must not be empty', undefined],
  ])('reports the place and a hint for %s', async (_name, more, message, hint) => {
    const problems = await problemsOf({ 'p.yaml': `profiles:\n${profile('parent')}${profile('b', more)}` });
    const [problem] = problems.filter((candidate) => candidate.message.includes(message));
    expect(problem?.place).toMatchObject({ line: 3 });
    expect(problem?.hint).toBe(hint);
  });

  test('says of an id that is taken where it was taken, once and with a next step', async () => {
    const problems = await problemsOf({
      'a.yaml': `profiles:\n${profile('a')}`,
      'b.yaml': `profiles:\n${profile('c', ', extends: a')}${profile('a', ', extends: a')}${profile('d', ', extends: a')}`,
    });
    expect(problems).toHaveLength(1);
    const [{ place, message, hint } = {} as Problem] = problems;
    expect(place).toMatchObject({ line: 3 });
    expect(place?.file).toMatch(/b\.yaml$/);
    expect(message).toMatch(/^the id "a" is taken by the profile at .*a\.yaml:2:\d+$/);
    expect(hint).toBe('choose another id; `extends: a` takes over what that profile does');
  });

  test('reports a circle where it is, not at every profile that leads into it', async () => {
    const others = ['d', 'e', 'f'].map((id) => profile(id, ', extends: b')).join('');
    const problems = await problemsOf({ 'p.yaml': `profiles:\n${profile('b', ', extends: b')}${others}` });
    expect(problems.map(({ place }) => place?.line)).toEqual([2]);
  });
});
