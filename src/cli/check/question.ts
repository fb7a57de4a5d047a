import { basename, extname, resolve } from 'node:path';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { readJson } from '../../files/read-json.js';
import { readText } from '../../files/read-text.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { checkedSchema } from '../../suite/checks/schemas/check-schemas.js';
import { schemaAdvice } from '../../suite/checks/schemas/schema-advice.js';
import { type Options, textOf } from '../options/options.js';
import type { Io } from '../terminal/io.js';

/** What a user wants to have answered. */
export interface Question {
  readonly schema: JsonObject;
  readonly schemaFile: string;
  /** Of the schema in a request, and of the function that takes it. */
  readonly name: string;
  readonly prompt: string;
  /** For the schema. */
  readonly warnings: readonly Problem[];
}

const example = `chatspec check --model MODEL --schema invoice.json --prompt 'Extract the invoice: ...'`;

/** Reads `--schema` and `--prompt`. Throws a UserError for what cannot be asked. */
export async function readQuestion(options: Options, io: Io): Promise<Question> {
  const written = textOf(options, 'schema');
  if (written === undefined) throw userError('check needs a JSON Schema: --schema FILE', example);
  const prompt = await promptOf(options, io);
  const schemaFile = resolve(io.cwd, written);
  const source = /\.ya?ml$/i.test(schemaFile) ? readYaml(schemaFile) : readJson(schemaFile);
  const { data: schema, problems } = source;
  if (problems.length > 0) throw new UserError(problems);
  if (!isObject(schema)) {
    const hint = '{ "type": "object", ... }';
    throw new UserError([problemAt(source, [], 'a JSON Schema for a request is an object', hint)]);
  }
  const checked = checkedSchema(schema);
  if (!checked.ok) {
    // A suite may spread a schema over files; here it is one.
    const one = 'the schema is one file: put the part into it, under $defs';
    const hint = checked.message.includes('$ref') ? one : checked.hint;
    throw new UserError([problemAt(source, checked.below, checked.message, hint)]);
  }
  const advice = [...schemaAdvice(schema)].map(({ below, message, hint, mistake = false }) =>
    problemAt(source, below, message, hint, { severity: mistake ? 'error' : 'warning', part: 'key' }),
  );
  return { schema, schemaFile, name: nameOf(schema, schemaFile), prompt, warnings: warningsOrThrow(advice) };
}

/** The text itself, `@FILE`, or `-` for standard input. */
async function promptOf(options: Options, io: Io): Promise<string> {
  const written = textOf(options, 'prompt');
  if (written === undefined)
    throw userError('check needs a prompt: --prompt TEXT, --prompt @FILE, or --prompt - for standard input', example);
  let prompt = written === '-' ? await io.input() : written;
  if (written.startsWith('@')) {
    const read = readText(resolve(io.cwd, written.slice(1)));
    if (!read.ok) throw new UserError([{ ...read.problem, hint: 'after @ stands the path of a text file' }]);
    prompt = read.text;
  }
  if (prompt.trim() !== '') return prompt.replace(/\r?\n$/, '');
  const source = written === '-' ? 'standard input' : written.startsWith('@') ? 'the file' : 'it';
  throw userError(
    `there is no prompt: ${source} is empty`,
    'write what the model is to do, with the text it is to read',
  );
}

/** From the title, else from the file; services allow letters, digits, `_` and `-`, up to 64 of them. */
function nameOf({ title }: JsonObject, file: string): string {
  const words = typeof title === 'string' && /[a-z]/i.test(title) ? title : basename(file, extname(file));
  const name = words
    .toLowerCase()
    .replace(/\.schema$/, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return name.slice(0, 64) || 'answer';
}
