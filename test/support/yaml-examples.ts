import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { isObject, type JsonObject } from '../../src/json/json.js';
import { projectFolder } from './documents.js';

/** A YAML example from the documents, as a complete file. */
export interface Example {
  readonly kind: 'suite' | 'config' | 'baseline' | 'profiles';
  /** The example itself when it is complete, else the smallest file that contains it. */
  readonly text: string;
}

const membersIn = (schema: 'suite' | 'config', definition: string): readonly string[] => {
  const file = fileURLToPath(new URL(`../../schemas/${schema}.schema.json`, import.meta.url));
  const { $defs } = JSON.parse(readFileSync(file, 'utf8')) as { $defs: Record<string, { properties: JsonObject }> };
  const found = $defs[definition];
  if (found === undefined) throw new Error(`${file} has no definition ${definition}`);
  return Object.keys(found.properties);
};

const anyProbe: JsonObject = { request: { messages: [{ role: 'user', content: 'Say hello.' }] } };

/**
 * Null for YAML that is not a file of chatspec (a workflow, for instance). Throws when the kind of file is unclear.
 * `probe`: what members of a probe that send nothing by themselves belong to.
 */
export function exampleOf(text: string, probe = anyProbe): Example | null {
  const data: unknown = parse(text);
  if (!isObject(data)) return null;
  const example = data;
  const names = Object.keys(example);
  // A JSON Schema.
  if (names.includes('type') && names.includes('properties')) return null;
  // Workflows of GitHub and GitLab, and what Kubernetes is told.
  if (names.includes('jobs') || names.includes('apiVersion')) return null;
  if (Object.values(example).every((job) => isObject(job) && 'script' in job)) return null;
  if (names.includes('suite')) return { kind: 'suite', text };
  if (names.includes('targets')) return { kind: 'config', text };
  if (names.includes('format')) return { kind: 'baseline', text };
  if (names.includes('profiles')) return { kind: 'profiles', text };

  const isPartOf = (members: readonly string[]): boolean => names.every((name) => members.includes(name));
  const suite = (part: JsonObject): Example => ({
    kind: 'suite',
    text: stringify({ suite: 'example', vars: { buyer: 'Li Lei' }, ...part }),
  });
  if (isPartOf(['vars', 'defaults', 'probes', 'behaviours'])) return suite(example);
  if (typeof example['when'] === 'string' && isPartOf(membersIn('suite', 'behaviour'))) {
    return suite({ behaviours: [{ id: 'example', title: 'An example', advice: 'None.', ...example }] });
  }
  if (isPartOf(membersIn('suite', 'probe'))) {
    const asks = ['request', 'steps', 'enforce'].some((name) => names.includes(name));
    return suite({ probes: { example: { ...(asks ? {} : probe), ...example } } });
  }
  const target = { base_url: 'simulator', models: ['sim-reference'] };
  const config = (part: JsonObject, changes: JsonObject = {}): Example => ({
    kind: 'config',
    text: stringify({ targets: { example: { ...target, ...changes } }, ...part }),
  });
  if (isPartOf(['suites', 'baseline', 'out', 'budget', 'max_unmeasured', 'redact'])) return config(example);
  if (isPartOf(membersIn('config', 'target'))) return config({}, example);
  throw new Error(`of which file is this an example? ${names.join(', ')}`);
}

/** Puts the files that examples refer to beside them. */
export async function copyParts(folder: string): Promise<void> {
  for (const part of ['schemas', 'samples']) {
    await cp(join(projectFolder, 'fixtures', part), join(folder, part), { recursive: true });
  }
}
