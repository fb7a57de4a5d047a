import { basename, extname, resolve } from 'node:path';
import { readJson } from '../../files/read-json.js';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { readText } from '../../files/read-text.js';
import type { SourceFile } from '../../files/source.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
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
}

/** Reads `--schema` and `--prompt`. Throws a UserError for what cannot be asked; warnings are for the schema. */
export async function readQuestion(
  options: Options,
  io: Io,
): Promise<{ readonly question: Question; readonly warnings: readonly Problem[] }> {
  const written = textOf(options, 'schema');
  if (written === undefined) throw userError('check needs a JSON Schema: --schema FILE', example);
  const prompt = await promptOf(options, io);
  const schemaFile = resolve(io.cwd, written);
  const source = /\.ya?ml$/i.test(schemaFile) ? readYaml(schemaFile) : readJson(schemaFile);
  if (source.problems.length > 0) throw new UserError(source.problems);
  const { data } = source;
  if (!isObject(data)) {
    throw new UserError([
      problemAt(source, [], 'a JSON Schema for a request is an object', '{ "type": "object", ... }'),
    ]);
  }
  const warnings = warningsOrThrow([...schemaProblems(source, data)]);
  return { question: { schema: data, schemaFile, name: nameOf(data, schemaFile), prompt }, warnings };
}

const example = `chatspec check --model MODEL --schema invoice.json --prompt 'Extract the invoice: ...'`;

/** The text itself, `@FILE`, or `-` for standard input. */
async function promptOf(options: Options, io: Io): Promise<string> {
  const written = textOf(options, 'prompt');
  if (written === undefined) {
    throw userError('check needs a prompt: --prompt TEXT, --prompt @FILE, or --prompt - for standard input', example);
  }
  const source = written === '-' ? 'standard input' : written.startsWith('@') ? 'the file' : 'it';
  const prompt =
    source === 'it' ? written : written === '-' ? await io.input() : fileText(resolve(io.cwd, written.slice(1)));
  if (prompt.trim() !== '') return prompt.replace(/\r?\n$/, '');
  const hint = 'write what the model is to do, with the text it is to read';
  throw userError(`there is no prompt: ${source} is empty`, hint);
}

function fileText(file: string): string {
  const read = readText(file);
  if (read.ok) return read.text;
  throw new UserError([{ ...read.problem, hint: 'after @ stands the path of a text file' }]);
}

function* schemaProblems(source: SourceFile, schema: Json): Generator<Problem> {
  const checked = checkedSchema(schema);
  if (!checked.ok) {
    // A suite may spread a schema over files; here it is one.
    const hint = checked.message.includes('$ref')
      ? 'the schema is one file: put the part into it, under $defs'
      : checked.hint;
    yield problemAt(source, checked.below, checked.message, hint);
    return;
  }
  for (const { below, message, hint, mistake = false } of schemaAdvice(schema)) {
    yield problemAt(source, below, message, hint, { severity: mistake ? 'error' : 'warning', part: 'key' });
  }
}

/** From the title, else from the file; services allow letters, digits, `_` and `-`, up to 64 of them. */
function nameOf({ title }: JsonObject, file: string): string {
  const words = typeof title === 'string' && /[a-z]/i.test(title) ? title : basename(file, extname(file));
  const name = words
    .toLowerCase()
    .replace(/\.schema$/, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return name === '' ? 'answer' : name;
}
