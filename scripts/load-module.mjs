import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** A module of src that imports nothing but types, by its path in the project. */
export async function load(path) {
  const { outputText } = ts.transpileModule(await readFile(new URL(`../${path}`, import.meta.url), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
}
