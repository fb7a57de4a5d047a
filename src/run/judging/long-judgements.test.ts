import { describe, expect, onTestFinished, test } from 'vitest';
import { aCompletion, anExchange, anExpectation, aRequest } from '../../../test/support/build.js';
import type { Exchange } from '../../chat/exchange.js';
import { climbLadder, judge, type Climbed, type Judging } from '../../judge/judge.js';
import { openJudgements } from './long-judgements.js';
import type { Thread, ThreadAnswer } from './thread.js';

type Question = { readonly exchange: Exchange; readonly judging: Judging };

const loops = { id: 'r', assert: '($f := function($x) { $f($x + 1) }; $f(1))' };

/** An answer whose judgement takes its full second, or none. */
function asked(content: string, isLong: boolean): Question {
  const body = aRequest({});
  const exchange = anExchange(body, { body: [aCompletion({ message: { content } })] });
  const expectation = anExpectation({ content: 'any', rules: isLong ? [loops] : [] });
  return { exchange, judging: { expectation, values: { vars: {}, request: body, steps: {} } } };
}

/** A thread that answers when it is told to, and what it has been asked, by content. */
function fakeThread(answer: () => Promise<ThreadAnswer<Climbed>>) {
  const questions: string[] = [];
  const thread: Thread<Question, Climbed> = {
    ask({ exchange }) {
      questions.push(/"content":"(\w+)"/.exec(exchange.answer.body[0] ?? '')?.[1] ?? '');
      return answer();
    },
    close: () => undefined,
  };
  // Each question takes a second.
  const judgements = openJudgements(thread, () => questions.length * 1000);
  onTestFinished(() => judgements.close());
  return {
    questions,
    judge: (cell: string, { exchange, judging }: Question) => judgements.judge(cell, exchange, judging),
    /** Answers that take long. */
    judgeLong: async (cell: string, content: string) => {
      const { exchange, judging } = asked(content, true);
      return judgements.judge(cell, exchange, judging);
    },
  };
}

const passes = (): Promise<ThreadAnswer<Climbed>> =>
  new Promise((resolve) => setImmediate(() => resolve({ kind: 'answer', answer: { kind: 'climbed', failure: null } })));

describe('a judgement', () => {
  test('that takes no long is made at once', () => {
    const { judge: judgeIt, questions } = fakeThread(passes);
    expect(judgeIt('a', asked('hello', false))).toMatchObject({ passed: true });
    expect(questions).toEqual([]);
  });

  test('of another cell is tried in a turn of the event loop of its own, where one takes long', async () => {
    const { judge: judgeIt, judgeLong, questions } = fakeThread(passes);
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      immediate = setImmediate(turn);
    };
    let immediate = setImmediate(turn);
    const long = ['a', 'b', 'c', 'd'].map((cell) => judgeLong(cell, cell));
    expect(judgeIt('e', asked('hello', false))).toMatchObject({ passed: true });
    await Promise.all(long);
    clearImmediate(immediate);
    expect(questions).toEqual(['a', 'b', 'c', 'd']);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test('that takes long is made elsewhere, one at a time, and the next of its cell is not tried at all', async () => {
    const { judge: judgeIt, judgeLong, questions } = fakeThread(passes);
    const first = judgeIt('a', asked('one', true));
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toMatchObject({ passed: true });
    const others = ['two', 'three'].map((content) => judgeLong('a', content));
    expect(questions).toEqual(['one', 'two']);
    expect(await Promise.all(others)).toMatchObject([{ passed: true }, { passed: true }]);
    expect(questions).toEqual(['one', 'two', 'three']);
    expect(judgeIt('b', asked('hello', false))).toMatchObject({ passed: true });
  });

  test('of a cell that has taken little time goes first', async () => {
    const { judgeLong, questions } = fakeThread(passes);
    await judgeLong('a', 'a0');
    await judgeLong('b', 'b0');
    await judgeLong('a', 'a0');
    await Promise.all([
      ...['a1', 'a2', 'a3'].map((content) => judgeLong('a', content)),
      ...['b1', 'b2'].map((content) => judgeLong('b', content)),
    ]);
    expect(questions.slice(0, 5)).toEqual(['a0', 'b0', 'a0', 'a1', 'b1']);
    expect(questions).toHaveLength(8);
  });

  test('that ends its thread is a fault of chatspec itself', async () => {
    const { judge: judgeIt } = fakeThread(() =>
      Promise.resolve({ kind: 'stopped', error: new Error('out of memory') }),
    );
    expect(await judgeIt('a', asked('one', true))).toMatchObject({
      passed: false,
      fault: true,
      class: null,
      status: 200,
      detail: expect.stringMatching(/^chatspec itself failed to judge .*out of memory/) as unknown,
    });
  });

  test('is made here where there is no thread', async () => {
    const { judge: judgeIt } = fakeThread(() => Promise.resolve({ kind: 'unavailable' }));
    const question = asked('one', true);
    const { exchange, judging } = question;
    expect(await judgeIt('a', question)).toEqual(judge(exchange, judging.expectation, judging.values));
    expect(climbLadder(exchange, judging)).toMatchObject({ kind: 'climbed', failure: { class: 'rule_violation' } });
  });
});
