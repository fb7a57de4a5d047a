import { parseJsonata } from '../../../judge/jsonata/jsonata-engine.js';
import { unknownFunction } from './unknown-function.js';

/** What is wrong with a JSONata expression, which may also call the functions named; null when it compiles. */
export function expressionFault(expression: string, functions: readonly string[]): string | null {
  const parsed = parseJsonata(expression);
  if (parsed.ok) return unknownFunction(parsed.tree, functions);
  const where = parsed.position === null ? '' : ` (at character ${parsed.position})`;
  return `${parsed.error.replace(/\.$/, '')}${where}`;
}
