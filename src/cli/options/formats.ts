import { userError } from '../../files/problems/problem.js';
import { type FileFormat, fileFormats } from '../../report/run-folder.js';
import { listOf } from './options.js';
import type { Options } from '../verb.js';

/** `--format` as the files to write; undefined: all of them. report.json is always among them. */
export function fileFormatsOf(options: Options): readonly FileFormat[] | undefined {
  const asked = listOf(options, 'format');
  if (asked === undefined) return undefined;
  const unknown = asked.filter((name) => !(fileFormats as readonly string[]).includes(name));
  if (unknown.length > 0) {
    const message = `--format takes a list of ${fileFormats.join(', ')}, not "${unknown.join(',')}"`;
    throw userError(message);
  }
  return fileFormats.filter((name) => name === 'json' || asked.includes(name));
}
