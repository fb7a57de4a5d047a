import { formFaults, requestReader } from '../body/request-reader.js';
import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { Path, SourceFile } from '../files/source.js';
import type { JsonObject } from '../json/json.js';
import type { ConfigFile, SettingsFile } from './config-file.js';

/** A patch over request bodies, and where the config has it. */
interface Patch {
  readonly patch: JsonObject;
  readonly at: Path;
  /** It renames a field: both names are fields of a body, in the key or in the value. */
  readonly renames?: 'key' | 'value';
}

/** What is wrong in the patches that a config merges over request bodies. */
export async function patchProblems(file: SourceFile, { targets }: ConfigFile): Promise<Problem[]> {
  const patches = Object.entries(targets).flatMap(([name, { settings, models }]) => [
    ...inSettings(settings, ['targets', name, 'settings']),
    ...(Array.isArray(models) ? models : []).flatMap((model, index) =>
      typeof model === 'string' ? [] : [...ofModel(model, ['targets', name, 'models', index])],
    ),
  ]);
  if (patches.length === 0) return [];
  const read = await requestReader();
  return patches.flatMap(({ patch, at, renames }) =>
    formFaults(read, patch, 'patch').flatMap(({ path, part, severity, message, hint }) => {
      if (renames === undefined) return [problemAt(file, [...at, ...path], message, hint, { part, severity })];
      return path.length === 1 ? [problemAt(file, at, message, hint, { part: renames, severity })] : [];
    }),
  );
}

interface PatchingModel {
  readonly request?: JsonObject;
  readonly control?: JsonObject;
  readonly rename?: Readonly<Record<string, string>>;
  readonly settings?: SettingsFile;
}

function* ofModel({ request = {}, control = {}, rename = {}, settings }: PatchingModel, at: Path): Generator<Patch> {
  yield { patch: request, at: [...at, 'request'] };
  yield { patch: control, at: [...at, 'control'] };
  yield* inSettings(settings, [...at, 'settings']);
  for (const [from, to] of Object.entries(rename)) {
    yield { patch: { [from]: null }, at: [...at, 'rename', from], renames: 'key' };
    yield { patch: { [to]: null }, at: [...at, 'rename', from], renames: 'value' };
  }
}

function* inSettings(settings: SettingsFile = {}, at: Path): Generator<Patch> {
  for (const [axis, labels] of Object.entries(settings)) {
    for (const [label, patch] of Object.entries(labels ?? {})) {
      if (patch !== null) yield { patch, at: [...at, axis, label] };
    }
  }
}
