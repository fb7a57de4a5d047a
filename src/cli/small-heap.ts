import { setFlagsFromString } from 'node:v8';

/**
 * A long run keeps little and throws much away. Left alone, the heap grows to four times what is kept before the garbage
 * is collected; with this it is collected sooner, and a night of a hundred thousand trials stays as small as a short run.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=40');
}
