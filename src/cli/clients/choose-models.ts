import type { Met } from '../../clients/client-table.js';
import { saysTheSame } from '../../clients/same-answer.js';
import type { AnsweringService, ProgramRun, SeenAnswerOf } from './client-program.js';

/** A quirk or an outcome class, and the models that show it in some request. */
export interface Wanted extends Pick<Met, 'models' | 'requests'> {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
}

/** Whether the answers show what is wanted; of a quirk only where they otherwise say what the reference says. */
export function shows(answers: readonly SeenAnswerOf[], { kind, name }: Wanted, right: ProgramRun): boolean {
  if (kind === 'class') return answers.some((one) => one.class === name);
  if (answers.some((one) => one.class !== null) || !answers.some(({ quirks }) => quirks.includes(name))) return false;
  const said = new Map(right.answers.map((one) => [one.request, one.value]));
  // A request that the program does not make to the reference follows from what it made of an earlier answer.
  return answers.every(
    ({ request, value }) => !said.has(request) || saysTheSame(name, value, said.get(request) ?? null),
  );
}

/** For each: the first model that shows it in answers to the requests that the program made to the reference. */
export function choosing(
  right: ProgramRun,
  service: AnsweringService,
  signal: AbortSignal,
): (wanted: Wanted) => Promise<string | null> {
  const requests = [...new Set(right.answers.map(({ request }) => request))];
  const answers = new Map<string, readonly SeenAnswerOf[]>();
  return async (wanted) => {
    for (const model of wanted.models) {
      if (signal.aborted) return null;
      const seen = answers.get(model) ?? (await answersOf(model, requests, service));
      answers.set(model, seen);
      if (shows(seen, wanted, right)) return model;
    }
    return null;
  };
}

/** Milliseconds; some models never end their answer, and what they sent is known all the same. */
const patience = 500;

async function answersOf(
  model: string,
  requests: readonly string[],
  { simulator, takeAnswers }: AnsweringService,
): Promise<readonly SeenAnswerOf[]> {
  simulator.reset();
  simulator.answerAs(model);
  takeAnswers();
  for (const body of requests) {
    await fetch(`${simulator.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer chatspec-clients' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => null);
  }
  return takeAnswers();
}
