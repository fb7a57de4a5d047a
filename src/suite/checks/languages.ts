import { requestReader, type RequestReader } from '../../body/request-reader.js';
import { expressionFault } from './rules/expression-fault.js';
import { membersOf, rootsOf } from './rules/rule-members.js';
import { checkedSchema } from './schemas/checked-schema.js';
import { templateReader, type TemplateReader } from './templates/template-reader.js';

/** The languages inside a suite file: Handlebars, JSONata, JSON Schema and requests. Each remembers what it has read before. */
export interface Languages {
  readonly readTemplate: TemplateReader;
  readonly expressionFault: typeof expressionFault;
  readonly membersNamed: typeof membersOf;
  readonly rootsNamed: typeof rootsOf;
  readonly compileSchema: typeof checkedSchema;
  readonly readRequest: RequestReader;
}

export async function loadLanguages(): Promise<Languages> {
  return {
    readTemplate: templateReader(),
    expressionFault,
    membersNamed: membersOf,
    rootsNamed: rootsOf,
    compileSchema: checkedSchema,
    readRequest: await requestReader(),
  };
}
