/** What is read of a task of Vitest. */
export interface TaskLike {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  /** Of a file and of a `describe`. */
  readonly tasks?: readonly TaskLike[];
}

/** The keys of all cells of a file whose tests Vitest is going to run: a filter by name or line leaves out the others. */
export function selectedIn(file: TaskLike): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (task: TaskLike): void => {
    if (task.mode === 'skip' || task.mode === 'todo') return;
    for (const inner of task.tasks ?? []) {
      if (inner.tasks !== undefined) walk(inner);
      else if (inner.mode !== 'skip' && inner.mode !== 'todo') keys.add(`${inner.name}@${task.name}`);
    }
  };
  walk(file);
  return keys;
}
