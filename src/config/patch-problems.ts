import { formFaults, type RequestReader } from '../body/request-reader.js';
import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { Path, SourceFile } from '../files/source.js';
import type { JsonObject } from '../json/json.js';
import type { SettingsFile } from './config-file.js';
import type { FilledConfig } from './from-environment.js';

/** What is wrong in the patches that a config merges over request bodies. */
export function* patchProblems(file: SourceFile, { targets }: FilledConfig, read: RequestReader): Generator<Problem> {
  for (const [name, { settings, models }] of Object.entries(targets)) {
    yield* settingsProblems(['targets', name, 'settings'], settings);
    for (const [index, model] of models.entries()) {
      if (typeof model === 'string') continue;
      const path = ['targets', name, 'models', index];
      yield* inPatch([...path, 'request'], model.request);
      yield* inPatch([...path, 'control'], model.control);
      yield* settingsProblems([...path, 'settings'], model.settings);
      yield* renameProblems([...path, 'rename'], model.rename ?? {});
    }
  }

  function* inPatch(at: Path, patch: JsonObject | null | undefined): Generator<Problem> {
    for (const { path, part, severity, message, hint } of formFaults(read, patch ?? {}, 'patch')) {
      yield problemAt(file, [...at, ...path], message, hint, { part, severity });
    }
  }

  function* settingsProblems(at: Path, settings: SettingsFile | undefined): Generator<Problem> {
    for (const [axis, labels] of Object.entries(settings ?? {})) {
      for (const [label, patch] of Object.entries(labels ?? {})) yield* inPatch([...at, axis, label], patch);
    }
  }

  /** Both names are fields of a body. */
  function* renameProblems(at: Path, rename: Readonly<Record<string, string>>): Generator<Problem> {
    for (const [from, to] of Object.entries(rename)) {
      for (const [field, part] of [
        [from, 'key'],
        [to, 'value'],
      ] as const) {
        for (const { path, severity, message, hint } of formFaults(read, { [field]: null }, 'patch')) {
          if (path.length === 1) yield problemAt(file, [...at, from], message, hint, { part, severity });
        }
      }
    }
  }
}
