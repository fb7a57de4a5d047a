import { expressionCheck, type ExpressionCheck } from './check-rules.js';
import { variableReader, type VariableReader } from './rule-variables.js';
import { schemaCompiler, type SchemaCompiler } from './schema-compiler.js';
import { templateReader, type TemplateReader } from './template-names.js';

/** The three languages inside a suite, each with what was read once already. */
export interface Checks {
  readonly template: TemplateReader;
  readonly expression: ExpressionCheck;
  readonly variables: VariableReader;
  readonly schema: SchemaCompiler;
}

/** Loads the three; slow to import, so only on the first suite. */
export async function loadChecks(): Promise<Checks> {
  const [template, expression, variables, schema] = await Promise.all([
    templateReader(),
    expressionCheck(),
    variableReader(),
    schemaCompiler(),
  ]);
  return { template, expression, variables, schema };
}
