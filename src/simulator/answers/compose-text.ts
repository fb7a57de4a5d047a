import type { SeededRandom } from '../profiles/seeded-random.js';
import type { ChatRequest } from '../http/request.js';

const sentences = [
  'A conformance test sends the same question to every model and reads each answer with care.',
  'An accepted request proves little; only the content shows what a model can do.',
  'Every answer is kept, so that a verdict can be traced back to the words behind it.',
  'One try is not a rate, and a rate needs enough tries to mean something.',
  'What worked yesterday is asked again today, because services change.',
  'A careful client checks the status, the end of the answer, its form and its values, in that order.',
] as const;

const greetings = ['Hello! How can I help you today?', 'Hi there, what can I do for you?'] as const;

/** An answer in words: the dictated text, else a text of the wanted length, else a sentence. */
export function composeText({ messages }: Pick<ChatRequest, 'messages'>, words: SeededRandom): string {
  const prompt = messages.findLast(({ role }) => role === 'user' || role === 'tool')?.text ?? '';
  const dictated = dictatedText(prompt);
  if (dictated !== null) return dictated;
  const length = wantedWords(prompt);
  if (length !== null) return textOfWords(length);
  const choices = /\b(?:hello|hi|hey|good (?:morning|evening)|how are you)\b/i.test(prompt) ? greetings : sentences;
  return choices[Math.floor(words.fraction('sentence') * choices.length)] ?? sentences[0];
}

/** "Reply with the single word ready", "say 'pong'", "answer with exactly: OK". */
export function dictatedText(prompt: string): string | null {
  const dictated =
    /\b(?:reply|answer|respond|say)\b[^"'`“\n.]{0,60}?["'`“]([^"'`”\n]{1,200})["'`”]/i.exec(prompt) ??
    /\b(?:reply|answer|respond|say)\b[^.\n:]{0,40}?\b(?:single |one )?word:? (\p{L}+)/iu.exec(prompt) ??
    /\b(?:reply|answer|respond|say)\b[^.\n:]{0,40}?(?:only|exactly|just)(?: with)?:? (\p{L}+)\s*[.!]?\s*$/iu.exec(
      prompt,
    );
  return dictated?.[1] ?? null;
}

function wantedWords(prompt: string): number | null {
  const stated = /\b(\d{2,5})[ -]?words?\b/i.exec(prompt)?.[1];
  if (stated !== undefined) return Math.min(Number(stated), 20_000);
  return /\b(?:count\b[^.]{1,40}?\bto|long|essay|story|in detail|detailed|paragraphs|at length)\b/i.test(prompt)
    ? 400
    : null;
}

function textOfWords(count: number): string {
  const words = sentences.join(' ').split(' ');
  const rounds = Math.ceil(count / words.length);
  return `${Array.from({ length: rounds }, () => words)
    .flat()
    .slice(0, count)
    .join(' ')
    .replace(/[.,;]?$/, '')}.`;
}
