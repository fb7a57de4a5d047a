import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { SourceFile } from '../files/source.js';
import type { JsonObject } from '../json/json.js';
import type { ModelFile, SettingsFile } from './config-file.js';
import type { FilledTarget } from './from-environment.js';
import type { ModelConfig, Settings } from './config.js';

/** The models of one target: defaults filled in, settings merged over the target's. */
export function readModels(
  file: SourceFile,
  target: string,
  { models, settings }: FilledTarget,
): { models: ModelConfig[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<string, number>();
  const read = models.map((model, index): ModelConfig => {
    const path = ['targets', target, 'models', index];
    const written: Exclude<ModelFile, string> = typeof model === 'string' ? { id: model } : model;
    for (const [kind, name] of [
      ['id', written.id],
      ['as', written.as],
    ] as const) {
      if (name === undefined) continue;
      const twin = first.get(`${kind} ${name}`);
      if (twin === undefined) first.set(`${kind} ${name}`, index);
      else problems.push(listedTwice(file, target, kind, name, twin, index));
    }
    return {
      key: `${target}/${written.id}`,
      target,
      id: written.id,
      as: written.as ?? null,
      concurrency: written.concurrency ?? null,
      price: written.price ?? null,
      vars: written.vars ?? {},
      request: written.request ?? {},
      rename: written.rename ?? {},
      settings: mergedSettings(settings ?? {}, written.settings ?? {}),
      control: written.control ?? {},
      retired: written.retired ?? null,
      place: file.placeOf(path),
    };
  });
  return { models: read, problems };
}

/** Merges label by label; null in the model removes an axis. */
function mergedSettings(target: SettingsFile, model: SettingsFile): Settings {
  const axes = new Map<string, Record<string, JsonObject | null>>();
  for (const [axis, labels] of [...Object.entries(target), ...Object.entries(model)]) {
    if (labels === null) axes.delete(axis);
    else axes.set(axis, Object.fromEntries([...Object.entries(axes.get(axis) ?? {}), ...Object.entries(labels)]));
  }
  return Object.fromEntries(axes);
}

function listedTwice(
  file: SourceFile,
  target: string,
  kind: 'id' | 'as',
  name: string,
  first: number,
  second: number,
): Problem {
  const { line } = file.placeOf(['targets', target, 'models', first]);
  const message =
    kind === 'id'
      ? `the model "${name}" is listed twice for target "${target}" (first on line ${line})`
      : `two models of target "${target}" are called "${name}" (first on line ${line})`;
  return problemAt(file, ['targets', target, 'models', second], message, 'remove or rename one of the two');
}
