import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../src/json/json.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { codeBlocks, markdownFiles, type CodeBlock } from '../support/documents.js';
import { tempFolder } from '../support/temp-folder.js';
import { copyParts, exampleOf } from '../support/yaml-examples.js';

/** Everything that an example leaves to the config of its reader. */
const config = `
targets:
  demo:
    base_url: simulator
    models: [sim-reference]
    settings:
      thinking: { default: ~, enabled: { thinking: { type: enabled } }, disabled: { thinking: { type: disabled } } }
      reasoning_effort: { default: ~, low: { reasoning_effort: low }, high: { reasoning_effort: high } }
`;

const probes = markdownFiles()
  .filter((file) => file === 'README.md' || /^docs\/[^/]+$/.test(file))
  .flatMap((file) => {
    const blocks = codeBlocks(file).filter(({ language }) => language === 'yaml');
    return blocks.map(({ at, text }, index) => ({ at, example: exampleOf(text, probeBefore(blocks.slice(0, index))) }));
  })
  .flatMap(({ at, example }) => (example?.kind === 'suite' ? [{ at, suite: example.text }] : []))
  .filter(({ suite }) => /^probes:/m.test(suite));

/** The last whole suite above an example: what a reader adds its lines to. */
function probeBefore(blocks: readonly CodeBlock[]): JsonObject | undefined {
  const suites = blocks.map(({ text }) => parse(text) as unknown).filter(isObject);
  const shown = suites.findLast((data) => 'suite' in data)?.['probes'];
  const [probe] = isObject(shown) ? Object.values(shown) : [];
  return isObject(probe) ? probe : undefined;
}

test('there are many examples of probes', () => expect(probes.length).toBeGreaterThan(12));

test.each(probes)('the probes of $at pass on the model that does everything right', async ({ suite }) => {
  const folder = await tempFolder();
  const suites = suite.includes('needs:') ? "['builtin:core', 'files/*.yaml']" : "['files/*.yaml']";
  await writeFiles(folder, { 'files/suite.yaml': suite, 'chatspec.yaml': `${config}suites: ${suites}\n` });
  await copyParts(join(folder, 'files'));
  const name = /^suite: (\S+)/m.exec(suite)?.[1] ?? '';
  const { stderr } = await chatspec(['run', '--suites', name, '--out', 'out', '--fail-on', 'never'], { cwd: folder });
  expect(stderr).not.toContain('error');
  const { cells } = JSON.parse(await readFile(join(folder, 'out', 'report.json'), 'utf8')) as {
    readonly cells: readonly { readonly key: string; readonly verdict: string; readonly detail: string | null }[];
  };
  expect(cells.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
  expect(cells.filter(({ verdict }) => verdict !== 'pass').map(({ key, detail }) => ({ key, detail }))).toEqual([]);
});
