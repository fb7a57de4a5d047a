import { readShippedYaml } from '../../files/yaml/read-shipped.js';
import type { CapabilityFamily, FormEvidence, NeedForm, Suite } from '../probe.js';
import type { SuiteFile } from '../suite-file.js';
import { builtinFiles } from './find-suite-files.js';
import { needFormsOf } from './load-suites.js';
import { writtenJson } from '../../json/json.js';

/** The capabilities, as reports know them beside their cells, each list in its order. */
export interface CapabilityCatalogue {
  readonly families: readonly CapabilityFamily[];
  readonly forms: readonly NeedForm[];
  readonly evidence?: readonly FormEvidence[];
}

/**
 * The families and forms of the suites. Those of `builtin:core` are always among them, so that reports have their usual
 * order and recommendations when a config lists only suites of its own; such a suite may declare them differently.
 */
export async function catalogueOf(
  suites: readonly (Pick<Suite, 'file' | 'families' | 'forms'> & Partial<Pick<Suite, 'evidence'>>)[],
): Promise<CapabilityCatalogue> {
  const read = new Set(suites.map(({ file }) => file));
  const unread = (await builtinFiles('core')).filter((file) => !read.has(file));
  const all = [...suites, ...unread.map(declarationsIn)];
  return {
    families: uniqueInOrder(
      all.flatMap(({ families }) => families),
      ({ name }) => name,
    ),
    forms: uniqueInOrder(
      all.flatMap(({ forms }) => forms),
      ({ need, capability }) => writtenJson([need, capability]),
    ),
    evidence: all.flatMap(({ evidence = [] }) => evidence),
  };
}

/** Of a suite that ships with the package, and so needs no checks. */
function declarationsIn(file: string): CapabilityCatalogue {
  const data = readShippedYaml(file).data as unknown as SuiteFile;
  return { families: data.families ?? [], forms: needFormsOf(data), evidence: data.evidence ?? [] };
}

/** Of several with the same id, only the first. */
function uniqueInOrder<T extends { readonly order: number }>(items: readonly T[], idOf: (item: T) => string): T[] {
  const ids = items.map(idOf);
  return items.filter((_, index) => ids.indexOf(ids[index] ?? '') === index).sort((a, b) => a.order - b.order);
}
