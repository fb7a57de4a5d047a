import { dirname, resolve } from 'node:path';
import { readJsonLines, type JsonLines } from '../../files/read-json.js';
import type { SampleRows } from '../checks/probe-draft.js';
import { missingFileHint } from './nearest-file.js';
import { projectFile } from './project-folder.js';
import { probeProblem, type ProbeSource } from './probe-source.js';

/** Sample files are read once for all suites. */
export type SampleCache = Map<string, JsonLines>;

/** The rows of a probe's `samples` file, whose path is relative to the file that names it. Never throws. */
export function readSamples(probe: ProbeSource, project: string, cache: SampleCache): SampleRows {
  const { samples: written } = probe.written;
  if (written === undefined) return { rows: [], problems: [] };
  const refuse = (message: string, hint: string): SampleRows => ({
    rows: null,
    problems: [probeProblem(probe, ['samples'], message, hint)],
  });
  const folder = dirname(probe.source.spotOf([...probe.path, 'samples']).place.file);
  const found = projectFile(resolve(folder, written), project);
  if (!found.ok) {
    return found.why === 'outside'
      ? refuse(`the path "${written}" leaves the project`, `only files below ${project} may be used`)
      : refuse(`there is no file "${written}"`, missingFileHint(written, folder, project));
  }
  let read = cache.get(found.file);
  if (read === undefined) cache.set(found.file, (read = readJsonLines(found.file)));
  const { rows, problems } = read;
  return { rows: problems.length > 0 ? null : rows.map(({ data }) => data), problems };
}
