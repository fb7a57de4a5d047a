import { Worker } from 'node:worker_threads';

/** How a question to a thread ended. */
export type ThreadAnswer<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The question took too long, or broke the thread. */
  | { readonly kind: 'stopped'; readonly error: Error }
  /** There is no thread, or the question cannot be handed over. */
  | { readonly kind: 'unavailable' };

/** A thread that answers one question at a time. It begins with the first, and anew after one that ended it. */
export interface Thread<Question, Answer> {
  /** Not to be called before the last question was answered. Never rejects. */
  ask(question: Question, mostMs: number): Promise<ThreadAnswer<Answer>>;
  close(): void;
}

/** As deep as functions may call each other in the first thread of Node: 984 kB, and 192 kB that a thread keeps free. */
const stackSizeMb = (984 + 192) / 1024;

/** @param script its first message says that it is ready; then it answers each message with one of its own */
export function openThread<Question, Answer>(script: URL): Thread<Question, Answer> {
  let worker: Worker | null = null;
  let cannotBegin = false;
  let settle: (answered: ThreadAnswer<Answer>) => void = () => undefined;
  const nextMessage = (): Promise<ThreadAnswer<Answer>> => new Promise((resolve) => (settle = resolve));

  const begin = (): Worker => {
    // Without the modules that the program preloads, and without its secrets.
    const begun = new Worker(script, { env: {}, execArgv: [], resourceLimits: { stackSizeMb } });
    const stopped = (error: Error): void => {
      if (worker !== begun) return;
      worker = null;
      settle({ kind: 'stopped', error });
    };
    begun.on('message', (answer: Answer) => {
      if (worker === begun) settle({ kind: 'answer', answer });
    });
    begun.on('messageerror', stopped);
    begun.on('error', stopped);
    begun.on('exit', () => stopped(new Error('its thread ended')));
    return begun;
  };
  const end = (): void => {
    void worker?.terminate();
    worker = null;
  };

  return {
    async ask(question, mostMs) {
      if (cannotBegin) return { kind: 'unavailable' };
      let asked = worker;
      if (asked === null) {
        worker = asked = begin();
        const first = await nextMessage();
        cannotBegin = first.kind !== 'answer';
        if (cannotBegin) return { kind: 'unavailable' };
      }
      const answered = nextMessage();
      // The program goes on while the thread has work, and only then.
      asked.ref();
      const timer = setTimeout(() => {
        end();
        settle({ kind: 'stopped', error: new Error(`it takes longer than ${mostMs / 1000} s`) });
      }, mostMs);
      try {
        asked.postMessage(question);
      } catch {
        // It is nested too deeply to be copied.
        settle({ kind: 'unavailable' });
      }
      return answered.finally(() => {
        clearTimeout(timer);
        asked.unref();
      });
    },
    close: end,
  };
}
