import { userError } from '../../files/problems/problem.js';
import type { FileFormat, ReportFormat } from '../../report/render.js';
import { fileFormats, reportFormats } from '../../report/report-formats.js';
import type { Options } from '../verb.js';
import { listOf, namesNothing, nearHintOf } from './options.js';

/** What later commands read is always written, whatever `--format` says. */
const always: ReadonlySet<string> = new Set([reportFormats.json.name, reportFormats.summary.name]);

/** The files to write by `--format`; undefined means all. */
export function fileFormatsOf(options: Options): readonly FileFormat[] | undefined {
  const chosen = formatsOf(options, fileFormats);
  return chosen && fileFormats.filter((format) => always.has(format.name) || chosen.includes(format));
}

/** The formats that `--format` names, in the order of the table; undefined if it was not given. Throws a UserError. */
export function formatsOf<Format extends ReportFormat>(
  options: Options,
  known: readonly Format[],
): readonly Format[] | undefined {
  const asked = listOf(options, 'format');
  if (asked === undefined) return undefined;
  const names = known.map(({ name }) => name);
  const unknown = asked.filter((name) => !names.includes(name));
  const [first] = unknown;
  if (first !== undefined) {
    throw userError(
      `--format takes a list of ${names.join(', ')}, not "${unknown.join(',')}"`,
      nearHintOf(first, names),
    );
  }
  if (asked.length === 0) throw namesNothing('format');
  return known.filter(({ name }) => asked.includes(name));
}
