import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import { readText } from '../../files/read-text.js';
import type { Json, JsonObject } from '../../json/json.js';
import { parseJson } from '../../chat/parse-json.js';
import { answersInText } from '../../judge/recorded/answer-text.js';
import { judgedFacts, judgeRecorded, UnusableExpectation } from '../../judge/recorded/judge-recorded.js';
import { readRecords } from '../../judge/recorded/read-record.js';
import {
  requestBodyIn,
  type Recorded,
  type RecordedPair,
  type RecordProblem,
} from '../../judge/recorded/recorded-pair.js';
import { safeJsonText } from '../../report/safe/escape.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { optionText, type Options } from '../options/options.js';
import { exitCodes, type Io, displayPath } from '../terminal/io.js';
import { documentsIn, linesIn, type NumberedText } from '../terminal/text-lines.js';

const { judge: sentences, recordProblems } = texts;

/** Counts of the records so far. */
interface Tally {
  records: number;
  judged: number;
  failed: number;
  problems: number;
}

/** `judge [FILE]`: judges recorded answers as a run does, a JSON line for each, printed as soon as it is known. */
export async function run([file]: readonly string[], options: Options, io: Io): Promise<number> {
  const path = file === undefined || file === '-' ? null : resolve(io.cwd, file);
  const source = path === null ? 'standard input' : displayPath(path, io);
  const requests = requestsNamed(optionText(options, 'request'), io);
  const tally: Tally = { records: 0, judged: 0, failed: 0, problems: 0 };
  const print = (facts: JsonObject): void => io.out(`${safeJsonText(facts, 0)}\n`);
  for await (const { line, records } of recordsFrom(textFrom(path, source, io), path !== null, requests)) {
    for (const record of records) print({ line, ...factsOf(record, requests.byId, tally) });
  }
  if (tally.judged + tally.problems === 0) throw userError(say(sentences.nothing, { source }), say(sentences.form));
  if (tally.problems > 0) {
    io.err(`chatspec: ${say(sentences.unread, { problems: tally.problems, of: tally.records })}\n`);
    return exitCodes.usage;
  }
  return tally.failed > 0 ? exitCodes.deviation : exitCodes.ok;
}

/** The requests of `--request`: one for every answer, or those of a batch by their ids. */
interface NamedRequests {
  readonly one: JsonObject | null;
  readonly byId: Map<string, JsonObject>;
}

function requestsNamed(file: string | undefined, io: Io): NamedRequests {
  if (file === undefined) return { one: null, byId: new Map() };
  const path = resolve(io.cwd, file);
  const read = readText(path);
  if (!read.ok) {
    throw userError(say(sentences.unreadable, { source: displayPath(path, io), why: read.problem.message }));
  }
  const whole = parseJson(read.text.trim());
  const halves = read.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap(readRecords);
  const listed = halves.flatMap((half) => (half.kind === 'request' ? [[half.id, half.request] as const] : []));
  if (listed.length > 0) return { one: null, byId: new Map(listed) };
  const one = whole.ok ? requestBodyIn(whole.value) : null;
  if (one !== null) return { one, byId: new Map() };
  throw userError(say(sentences.requestFile, { file: displayPath(path, io) }), say(sentences.requestForm));
}

type ReadLine = { readonly line: number; readonly records: readonly Recorded[] };

async function* recordsFrom(
  pieces: AsyncIterable<string>,
  isFile: boolean,
  { one }: NamedRequests,
): AsyncGenerator<ReadLine> {
  if (one === null) {
    const lines = isFile ? documentsIn(linesIn(pieces)) : linesIn(pieces);
    for await (const given of lines) yield { line: given.line, records: recordsOfLine(given) };
    return;
  }
  let text = '';
  for await (const piece of pieces) text += piece;
  if (text === '') return;
  for (const [index, answer] of answersInText(text).entries()) {
    const id = null;
    const record: Recorded =
      answer === null
        ? { kind: 'problem', id, code: 'answer_unreadable' }
        : { kind: 'pair', pair: { id, request: one, answer, expect: null, unseen: [] } };
    yield { line: index + 1, records: [record] };
  }
}

function recordsOfLine({ text }: NumberedText): readonly Recorded[] {
  return text === null ? [{ kind: 'problem', id: null, code: 'too_long' }] : readRecords(text);
}

/** The facts that are printed of a record, besides its line. */
function factsOf(record: Recorded, requests: Map<string, JsonObject>, tally: Tally): JsonObject {
  tally.records++;
  switch (record.kind) {
    case 'pair':
      return judgedOrProblem(record.pair, tally);
    case 'answer': {
      const request = record.id === null ? undefined : requests.get(record.id);
      if (request === undefined) return problemFacts(record.id, 'request_missing', tally);
      return judgedOrProblem({ id: record.id, request, answer: record.answer, expect: null, unseen: [] }, tally);
    }
    case 'request':
      requests.set(record.id, record.request);
      return { id: record.id, skipped: 'request' };
    case 'other':
      return { id: record.id, skipped: 'other' };
    case 'problem':
      return problemFacts(record.id, record.code, tally);
  }
}

function judgedOrProblem(pair: RecordedPair, tally: Tally): JsonObject {
  try {
    const judgement = judgeRecorded(pair);
    tally.judged++;
    if (!judgement.passed) tally.failed++;
    return { id: pair.id, ...judgedFacts(judgement) };
  } catch (error) {
    if (!(error instanceof UnusableExpectation)) throw error;
    return problemFacts(pair.id, 'expect_unusable', tally, error.message);
  }
}

function problemFacts(id: string | null, code: RecordProblem, tally: Tally, why = ''): JsonObject {
  tally.problems++;
  const problem: Json = { code, message: say(recordProblems[code], { why }) };
  return { id, problem };
}

/** A file or standard input, as it comes. Throws a UserError for a file that cannot be read. */
async function* textFrom(path: string | null, source: string, io: Io): AsyncGenerator<string> {
  if (path === null) {
    yield* io.inputPieces();
    return;
  }
  try {
    for await (const piece of createReadStream(path, 'utf8')) yield String(piece);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw userError(say(sentences.unreadable, { source, why: message }));
  }
}
