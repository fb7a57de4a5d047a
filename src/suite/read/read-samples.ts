import { dirname, resolve } from 'node:path';
import type { Problem } from '../../files/problems/problem.js';
import { readJsonLines, type JsonLines } from '../../files/read-json.js';
import type { JsonObject } from '../../json/json.js';
import { missingFileHint } from './nearest-file.js';
import { reach } from './project-folder.js';
import { probeProblem, type ProbeSource } from './probe-source.js';

/** Sample files are read once for all suites. */
export type SampleCache = Map<string, Promise<JsonLines>>;

/** The rows of a probe's `samples`; the path counts from the file that names it. */
export async function readSamples(
  probe: ProbeSource,
  project: string,
  cache: SampleCache,
): Promise<{ samples: readonly JsonObject[]; problems: readonly Problem[] }> {
  const { samples: written } = probe.written;
  if (written === undefined) return { samples: [], problems: [] };
  const refuse = (message: string, hint: string) => ({
    samples: [],
    problems: [probeProblem(probe, ['samples'], message, hint)],
  });
  const folder = dirname(probe.source.spotOf([...probe.path, 'samples']).place.file);
  const reached = await reach(resolve(folder, written), project);
  if (!reached.ok) {
    return reached.why === 'outside'
      ? refuse(`the path "${written}" leaves the project`, `only files below ${project} may be used`)
      : refuse(`"${written}" is no file`, await missingFileHint(written, folder, project));
  }
  let reading = cache.get(reached.file);
  if (reading === undefined) cache.set(reached.file, (reading = readJsonLines(reached.file)));
  const { rows, problems } = await reading;
  return { samples: problems.length > 0 ? [] : rows.map(({ data }) => data), problems };
}
