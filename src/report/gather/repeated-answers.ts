import { isSuccess, type Answer } from '../../chat/exchange.js';
import type { Reply } from '../../chat/reply.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { fingerprint } from '../../json/fingerprint.js';
import type { RepeatedAnswers } from '../../matrix/repeated-answers.js';
import { askedBy } from './asked-by.js';

/** All answers with one id. */
interface Told {
  readonly created: string | null;
  /** Fingerprint of what the answer says. */
  readonly said: number;
  readonly asked: Asked[];
  /** Further answers, to requests that found no place among those. */
  beyond: Map<string, number> | null;
}

/** The answers with one id to the same request. */
interface Asked {
  readonly model: string;
  /** Fingerprint of the request. */
  readonly request: number;
  /** The smallest ids of their exchanges. */
  first: string;
  second: string | null;
  answers: number;
}

/** So many ids that came once are remembered: the trials of a cell follow each other closely. */
const mostIds = 5000;
/** So many requests that got the same answer are told apart. */
const mostRequests = 50;

/**
 * Counts the answers that repeat an earlier one: the same id, `created` and words, in another exchange. A service that
 * gives different answers the same id has no ids that tell answers apart, so nothing is said of it. What is kept has a
 * bound for the ids that came once, and grows with the plan for those that came again.
 */
export function openRepeatedAnswers() {
  /** The oldest first. */
  const once = new Map<string, Told>();
  const again = new Map<string, Told>();
  const answers = new Map<string, number>();
  /** Models whose ids do not tell answers apart. */
  const unclear = new Set<string>();

  return {
    add({ id: exchange, model, exchange: { request, answer } }: ExchangeRecord, reply: Reply | null): void {
      if (reply === null || !isWhole(reply, answer)) return;
      const created = createdIn(answer);
      const { id } = reply;
      if (id === null || !isTelling(id, created)) return;
      answers.set(model, (answers.get(model) ?? 0) + 1);
      const said = wordsOf(reply);
      const known = again.get(id) ?? once.get(id);
      const asked: Asked = { model, request: askedBy(request.body), first: exchange, second: null, answers: 1 };
      if (known === undefined) {
        once.set(id, { created, said, asked: [asked], beyond: null });
        forgetOldest(once);
      } else if (known.created !== created || known.said !== said) {
        for (const one of [model, ...known.asked.map((before) => before.model)]) unclear.add(one);
      } else {
        once.delete(id);
        again.set(id, known);
        count(known, asked);
      }
    },
    /** By model, those with such answers. */
    all(): ReadonlyMap<string, RepeatedAnswers> {
      const found = new Map<string, RepeatedAnswers>();
      for (const told of again.values()) {
        if (told.asked.some(({ model }) => unclear.has(model))) continue;
        for (const [model, one] of repeatsIn(told)) {
          const before = found.get(model);
          const of = answers.get(model) ?? 0;
          found.set(model, { ...(before === undefined ? one : together(before, one)), of });
        }
      }
      return found;
    },
  };
}

/** An answer that was cut off may be sent again whole. */
function isWhole({ finish_reason: reason, tool_calls: calls, content }: Reply, answer: Answer): boolean {
  return (
    answer.failure === null && isSuccess(answer.status) && (reason !== null || calls.length > 0 || content !== null)
  );
}

const creation = /\s*:\s*(\d+)/y;
/** Characters of a stream, whose first chunk says it. */
const beginning = 4096;

/** Seconds since the epoch, in digits; null: the answer does not say. In a text, its quotes would be escaped. */
function createdIn({ body: [first = '', ...others] }: Answer): string | null {
  let text = first;
  for (const piece of others) {
    if (text.length >= beginning) break;
    text += piece;
  }
  const name = '"created"';
  const at = text.indexOf(name);
  if (at < 0) return null;
  creation.lastIndex = at + name.length;
  return creation.exec(text)?.[1] ?? null;
}

/** Letters and digits beside a fixed word and the time. */
const leastTelling = 6;
/** Characters: longer ids would fill the memory. */
const longestId = 200;

/** Ids such as `chatcmpl-1` and `chatcmpl-1764000000` can be the same by chance. */
function isTelling(id: string, created: string | null): boolean {
  if (id.length > longestId) return false;
  const bare = created === null || created.length < 5 ? id : id.replace(created, '');
  return bare.replace(/^[a-z]*cmpl|[^A-Za-z0-9]/g, '').length >= leastTelling;
}

/** Without what a cache may change when it turns a plain answer into a stream. */
function wordsOf({ content, refusal, tool_calls: calls }: Reply): number {
  return fingerprint([
    content ?? '',
    refusal ?? '',
    ...calls.map(({ name, arguments: given }) => [name, given ?? null]),
  ]);
}

function forgetOldest(once: Map<string, Told>): void {
  if (once.size <= mostIds) return;
  for (const oldest of once.keys()) {
    once.delete(oldest);
    return;
  }
}

function count(told: Told, found: Asked): void {
  const known = told.asked.find(({ model, request }) => model === found.model && request === found.request);
  if (known !== undefined) {
    const { first } = found;
    known.answers += 1;
    if (first < known.first) [known.first, known.second] = [first, known.first];
    else if (known.second === null || first < known.second) known.second = first;
  } else if (told.asked.length < mostRequests) {
    told.asked.push(found);
  } else {
    told.beyond ??= new Map();
    told.beyond.set(found.model, (told.beyond.get(found.model) ?? 0) + 1);
  }
}

type Repeats = Omit<RepeatedAnswers, 'of'>;

/** By model: the answers with this id but the first, which is the same in whichever order the exchanges come. */
function repeatsIn({ asked, beyond }: Told): Map<string, Repeats> {
  const byModel = new Map<string, Repeats>();
  const [origin, ...others] = asked.toSorted((one, other) => (one.first < other.first ? -1 : 1));
  if (origin === undefined) return byModel;
  const note = (model: string, one: Repeats): void => {
    const before = byModel.get(model);
    byModel.set(model, before === undefined ? one : together(before, one));
  };
  if (origin.second !== null) {
    const example = { exchange: origin.second, repeats: origin.first };
    note(origin.model, { repeated: origin.answers - 1, of_others: 0, example });
  }
  for (const { model, first, answers } of others) {
    note(model, { repeated: answers, of_others: answers, example: { exchange: first, repeats: origin.first } });
  }
  for (const [model, answers] of beyond ?? []) {
    const example = byModel.get(model)?.example ?? { exchange: origin.first, repeats: origin.first };
    note(model, { repeated: answers, of_others: answers, example });
  }
  return byModel;
}

/** The example is the first of the graver kind. */
function together(one: Repeats, other: Repeats): Repeats {
  const isGraver = (a: Repeats, b: Repeats): boolean =>
    a.of_others > 0 === b.of_others > 0 ? a.example.exchange <= b.example.exchange : a.of_others > 0;
  return {
    repeated: one.repeated + other.repeated,
    of_others: one.of_others + other.of_others,
    example: isGraver(one, other) ? one.example : other.example,
  };
}
