import { seenInAnswer, type SeenInAnswer } from '../../clients/seen-in-answer.js';
import type { Simulator } from '../../simulator/index.js';

export interface SeenAnswerOf extends SeenInAnswer {
  readonly request: string;
}

/** The embedded service, and the answers that it gave. */
export interface AnsweringService {
  readonly simulator: Simulator;
  /** The answers since the last call. */
  readonly takeAnswers: () => readonly SeenAnswerOf[];
}

/** A service whose clock stands still, so that the same requests get the same answers to the letter. */
export async function answeringService(start: (options: object) => Promise<Simulator>): Promise<AnsweringService> {
  const answers: SeenAnswerOf[] = [];
  const simulator = await start({
    log: 0,
    now: () => Date.UTC(2026, 0, 1),
    onAnswer: (answer: Parameters<typeof seenInAnswer>[0]) => {
      answers.push({ request: answer.request, ...seenInAnswer(answer) });
    },
  });
  return { simulator, takeAnswers: () => answers.splice(0) };
}

export function answerAs(model: string, { simulator, takeAnswers }: AnsweringService): void {
  simulator.reset();
  simulator.answerAs(model);
  takeAnswers();
}

/** Milliseconds; some models never end their answer, and what they sent is known all the same. */
const longestAnswerWait = 500;

/** The answers of a model to these requests; after a refusal it is asked once more, since some pass then. */
export async function answersOf(
  model: string,
  requests: readonly string[],
  service: AnsweringService,
): Promise<readonly SeenAnswerOf[]> {
  answerAs(model, service);
  const seen: SeenAnswerOf[] = [];
  for (const body of requests) {
    for (let time = 0; time < 2; time += 1) {
      await fetch(`${service.simulator.baseUrl}/chat/completions`, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(longestAnswerWait),
        headers: { 'content-type': 'application/json', authorization: 'Bearer chatspec-clients' },
      })
        .then((response) => response.arrayBuffer())
        .catch(() => null);
      const answers = service.takeAnswers();
      seen.push(...answers);
      if (answers.every((one) => one.class === null)) break;
    }
  }
  return seen;
}
