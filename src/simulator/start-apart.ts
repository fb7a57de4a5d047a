import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Simulator, SimulatorOptions } from './simulator.js';

/** An embedded service that does nothing but answer. */
type AnsweringSimulator = Pick<Simulator, 'baseUrl' | 'close'>;

/**
 * Starts the embedded service in a thread of its own, as a service does not wait for its clients to judge: a run
 * against it takes a tenth less time. Where no thread can begin, as in a program that was bundled into one file, it
 * runs in this one. Rejects as `startSimulator` does.
 */
export async function startApart(
  options: Pick<SimulatorOptions, 'seed' | 'log'>,
  script: URL = new URL('./simulator-thread.js', import.meta.url),
): Promise<AnsweringSimulator> {
  // Without the modules that the program preloads, and without its secrets.
  const thread = new Worker(script, { workerData: options, env: {}, execArgv: [] });
  try {
    const [baseUrl] = (await once(thread, 'message')) as [string];
    // The program goes on while it waits for an answer, and only then.
    thread.unref();
    const close = async (): Promise<void> => {
      await thread.terminate();
    };
    return { baseUrl, close };
  } catch {
    const { startSimulator } = await import('./simulator.js');
    return startSimulator(options);
  }
}
