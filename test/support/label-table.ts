import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OutcomeClass, Reason, Report, Verdict } from '../../src/index.js';

/** The expected result of every judged cell that matches `key`; absent members are not compared. */
export interface LabelledCell {
  readonly key: string;
  readonly verdict?: Verdict;
  readonly class?: OutcomeClass;
  readonly reason?: Reason;
  readonly status?: number;
  readonly enforcement?: Report['cells'][number]['enforcement'];
  readonly quirks?: readonly string[];
}

/** Additions to the built-in probe where no built-in probe shows the fault. */
export interface LabelPatch {
  readonly request?: object;
  readonly expect?: object;
  readonly timeout_s?: number;
  readonly key?: true;
}

/** How a model of the embedded service must be judged; the comment at the top of labels.yaml explains the members. */
export interface Label {
  readonly profile: string;
  readonly innocent?: true;
  readonly unreachable?: { readonly class: OutcomeClass; readonly reason: Reason; readonly status: number };
  readonly except?: readonly string[];
  readonly cells?: readonly LabelledCell[];
  readonly elsewhere?: 'pass';
  readonly behaviours?: readonly string[];
  readonly with?: LabelPatch;
  readonly source: string;
}

const file = new URL('../../fixtures/profiles/labels.yaml', import.meta.url);

export function readLabels(): readonly Label[] {
  return (parse(readFileSync(file, 'utf8')) as { readonly labels: readonly Label[] }).labels;
}
