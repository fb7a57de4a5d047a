import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { missingFileHint } from './nearest-file.js';

test.each([
  ['./schemas/invoce.json', 'did you mean "./schemas/invoice.json"?'],
  ['./shemas/invoice.json', 'did you mean "./schemas/invoice.json"?'],
  ['./schemas/invoice.yaml', 'did you mean "./schemas/invoice.json"?'],
  ['./suites/../schemas/Invoice.json', 'did you mean "./suites/../schemas/invoice.json"?'],
  ['order-text.jsonl', 'did you mean "order-texts.jsonl"?'],
  ['./schemas/nothing-like-that.json', 'the path is relative to '],
  ['./nowhere/invoice.json', 'the path is relative to '],
  ['./schemas/invoice.json/x.json', 'the path is relative to '],
  // What lies outside of the project is not even looked at.
  ['../outside/secret.jsn', 'the path is relative to '],
  ['./linked/secret.jsn', 'the path is relative to '],
])('%s: %s', async (path, hint) => {
  const above = await tempFolder();
  const project = join(above, 'project');
  await mkdir(join(project, 'schemas'), { recursive: true });
  await mkdir(join(project, 'suites'));
  await mkdir(join(above, 'outside'));
  await writeFile(join(project, 'schemas', 'invoice.json'), '{}');
  await writeFile(join(project, 'order-texts.jsonl'), '{}');
  await writeFile(join(above, 'outside', 'secret.json'), '{}');
  await symlink(join(above, 'outside'), join(project, 'linked'));
  expect(missingFileHint(path, project, project)).toContain(hint);
});
