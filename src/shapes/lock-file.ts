import { stringify } from 'yaml';
import { UserError, hasErrors, userError } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { checkAgainst } from '../files/shipped-schema.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import type { Mask } from '../masking/mask-json.js';
import { canonical } from './body-shape.js';
import { isShape, type RequestShape, type ShapesLock, shapeWithoutKeys } from './shape-of.js';

const head = `# The request shapes that your client libraries send. chatspec shapes check compares them with what is sent now;
# chatspec shapes record writes them anew. No keys, prompts, ports or dates are in it.
`;

/** The text of shapes.lock.yaml. */
export function lockText(shapes: readonly RequestShape[]): string {
  const lock: ShapesLock = { format: 'chatspec-shapes/1', shapes };
  return head + stringify(lock, { lineWidth: 120, aliasDuplicateObjects: false });
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
  const { shapes } = source.data as unknown as ShapesLock;
  // Somebody may have sorted the file differently, or recorded more of the headers.
  return shapes
    .map((shape) => shapeWithoutKeys(shape, mask))
    .map(({ headers, body, ...rest }) => {
      const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => isShape(name)));
      return { ...rest, ...(canonical({ headers: kept, body }) as Pick<RequestShape, 'headers' | 'body'>) };
    });
}
