import { expressionCompiler, type ExpressionCompiler } from './rules/expression-compiler.js';
import { memberReader, type MemberReader } from './rules/rule-members.js';
import { checkedSchema, type SchemaCompiler } from './schema-compiler.js';
import { templateReader, type TemplateReader } from './templates/template-reader.js';

/** The languages inside a suite file: Handlebars, JSONata and JSON Schema. Each remembers what it has read before. */
export interface Languages {
  readonly readTemplate: TemplateReader;
  readonly expressionFault: ExpressionCompiler;
  readonly membersNamed: MemberReader;
  readonly compileSchema: SchemaCompiler;
}

/** Imports the three libraries, which is slow; call it only when there is a suite to read. */
export async function loadLanguages(): Promise<Languages> {
  const [readTemplate, expressionFault, membersNamed] = await Promise.all([
    templateReader(),
    expressionCompiler(),
    memberReader(),
  ]);
  return { readTemplate, expressionFault, membersNamed, compileSchema: checkedSchema };
}
