import { afterAll } from 'vitest';

type Task = () => unknown;
const tasks: Task[] = [];

/** Ends something once all tests of the file have run; for helpers that many files share. */
export function afterFile(task: Task): void {
  tasks.push(task);
}

/**
 * Runs the tasks. A hook of a helper's own would run only after the first file that loads it, because a worker loads
 * each module once.
 */
export function endEachFile(): void {
  afterAll(async () => {
    await Promise.all(tasks.splice(0).map((task) => task()));
  });
}
