import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { at } from '../json/pointer.js';
import { nearest } from './problems/nearest.js';
import type { Problem } from './problems/problem.js';
import { misfitProblems, schemaMisfits, schemaProblems, type SchemaMisfit } from './schema-problems.js';
import type { Path, Source } from './source.js';

/** How far from the root what holds a misfit can be taken out, and the rest still be read; null: it cannot. */
export type CutOf = (path: Path) => Path | null;

/**
 * What does not fit a schema, and the data without it, so that everything else can be checked in the same go. A
 * misspelt key counts as the one that was meant. The data is null when too little is left.
 */
export function repaired<S extends Source>(
  validate: ValidateFunction,
  source: S,
  cutOf: CutOf,
): { readonly source: S | null; readonly problems: readonly Problem[] } {
  if (validate(source.data)) return { source, problems: [] };
  const root = validate.schema as JsonObject;
  const problems = schemaProblems(source, validate.errors ?? [], root);
  let data: Json = source.data;
  const renames: Rename[] = [];
  // One cut may leave something empty, which is the next misfit.
  for (let round = 0; round < 5; round++) {
    const fits: boolean = validate(data);
    if (fits) return { source: renamedSource({ ...source, data }, renames), problems };
    const misfits = schemaMisfits(validate.errors ?? [], root);
    // Under its right name a part is read for the first time.
    const news = misfits.filter(({ path }) => round > 0 && renames.some((rename) => isUnder(path, rename)));
    problems.push(...misfitProblems(renamedSource(source, renames), news));
    for (const misfit of misfits) {
      const edit = editFor(misfit, data, cutOf);
      if (edit === null) return { source: null, problems };
      if (edit.to !== null) renames.push({ holder: edit.holder, from: edit.key, to: edit.to });
      data = edited(data, edit.holder, edit);
    }
  }
  return { source: null, problems };
}

interface Edit {
  readonly holder: Path;
  readonly key: string;
  /** The name that was meant; null: the member is taken out. */
  readonly to: string | null;
}

function editFor({ path, error }: SchemaMisfit, data: Json, cutOf: CutOf): Edit | null {
  if (error.keyword === 'additionalProperties') {
    const [holder, key] = [path.slice(0, -1), String(path.at(-1))];
    const meant = nearest(key, Object.keys((error.parentSchema?.['properties'] ?? {}) as object));
    const isFree = meant !== null && at(data, [...holder.map(String), meant]) === undefined;
    return { holder, key, to: isFree ? meant : null };
  }
  const cut = cutOf(path);
  return cut === null || cut.length === 0 ? null : { holder: cut.slice(0, -1), key: String(cut.at(-1)), to: null };
}

function edited(data: Json, holder: Path, edit: Edit): Json {
  const [step, ...rest] = holder;
  if (step === undefined) {
    if (!isObject(data)) return data;
    return Object.fromEntries(
      Object.entries(data).flatMap(([name, value]) => {
        if (name !== edit.key) return [[name, value]];
        return edit.to === null ? [] : [[edit.to, value]];
      }),
    );
  }
  if (Array.isArray(data)) {
    return (data as readonly Json[]).map((item, index) => (index === Number(step) ? edited(item, rest, edit) : item));
  }
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, name === String(step) ? edited(value, rest, edit) : value]),
  );
}

function isUnder(path: Path, { holder, to }: Rename): boolean {
  return [...holder, to].every((step, index) => path[index] === step);
}

interface Rename {
  readonly holder: Path;
  readonly from: string;
  readonly to: string;
}

/** Places are looked up under the names that the file has. */
function renamedSource<S extends Source>(source: S, renames: readonly Rename[]): S {
  if (renames.length === 0) return source;
  const written = (path: Path): Path =>
    renames.toReversed().reduce<Path>((steps, { holder, from, to }) => {
      const isThere = holder.every((step, index) => steps[index] === step) && steps[holder.length] === to;
      return isThere ? [...holder, from, ...steps.slice(holder.length + 1)] : steps;
    }, path);
  const spotOf: Source['spotOf'] = (path, part) => source.spotOf(written(path), part);
  return {
    ...source,
    spotOf,
    ...('placeOf' in source ? { placeOf: (...args: Parameters<Source['spotOf']>) => spotOf(...args).place } : {}),
  };
}
