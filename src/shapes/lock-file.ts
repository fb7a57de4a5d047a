import { stringify } from 'yaml';
import { UserError, hasErrors, userError } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { checkAgainst } from '../files/shipped-schema.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import type { JsonObject } from '../json/json.js';
import { type Mask, maskedJson } from '../masking/mask-json.js';
import type { RequestShape } from './shape-of.js';

const head = `# What your client libraries send. chatspec shapes check compares it with what is sent now;
# chatspec shapes record writes it anew. No keys, prompts, ports or dates are in it.
`;

/** The text of shapes.lock.yaml. */
export function lockText(shapes: readonly RequestShape[]): string {
  return head + stringify({ format: 'chatspec-shapes/1', shapes }, { lineWidth: 120, aliasDuplicateObjects: false });
}

/**
 * Reads a lock file, without keys. Throws a UserError with the place if it is none, or if it is missing.
 * @param use what it is read for: `compare with`
 */
export async function readLock(file: string, use: string, mask: Mask): Promise<readonly RequestShape[]> {
  const read = readText(file);
  if (!read.ok && read.missing) {
    throw userError(`there is no ${file} to ${use}`, 'write it once: chatspec shapes record -- CMD');
  }
  if (!read.ok) throw new UserError([read.problem]);
  const source = parseYaml(read.text, file);
  if (hasErrors(source.problems)) throw new UserError(source.problems);
  const misfits = await checkAgainst('shapes', source);
  if (misfits.length > 0) throw new UserError(misfits);
  const { shapes } = source.data as unknown as { readonly shapes: readonly (JsonObject & RequestShape)[] };
  // Somebody else may have written it. The hashes of schemas look like keys.
  return shapes.map((shape) => ({ ...(maskedJson(shape, mask) as typeof shape), schemas: shape.schemas }));
}
