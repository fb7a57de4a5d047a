import { unknownFunction } from './unknown-function.js';

/** What is wrong with a JSONata expression, which may also call the functions named; null when it compiles. */
export type ExpressionCompiler = (expression: string, functions: readonly string[]) => string | null;

/** Loads JSONata; what was compiled once is remembered. */
export async function expressionCompiler(): Promise<ExpressionCompiler> {
  const { default: jsonata } = await import('jsonata');
  const known = new Map<string, string | null>();
  return (expression, functions) => {
    const key = `${functions.length} ${expression}`;
    let fault = known.get(key);
    if (fault === undefined) {
      fault = faultOf(() => unknownFunction(jsonata(expression).ast(), functions));
      known.set(key, fault);
    }
    return fault;
  };
}

function faultOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply';
    const { message, position } = error as { message?: string; position?: number };
    const where = typeof position === 'number' ? ` (at character ${position})` : '';
    return `${(message ?? 'it cannot be read').replace(/\.$/, '')}${where}`;
  }
}
