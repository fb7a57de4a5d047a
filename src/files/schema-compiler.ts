import { Ajv2020, _, type CodeOptions, type KeywordCxt } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isUsual } from './usual-value.js';

/** The compiler of the package's JSON Schemas. */
export function createSchemaCompiler(code: CodeOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    // To check a schema of the package, and to optimize the code that one command runs, takes longer than to compile
    // it.
    validateSchema: false,
    code: { optimize: false, ...code },
  });
  formats.default(ajv, ['date']);
  ajv.addKeyword({
    keyword: 'usual',
    type: 'string',
    schemaType: 'array',
    code(keyword: KeywordCxt) {
      const check = keyword.gen.scopeValue('func', { ref: isUsual, code: _`isUsual` });
      keyword.fail(_`!${check}(${keyword.schemaCode}, ${keyword.data})`);
    },
  });
  return ajv;
}
