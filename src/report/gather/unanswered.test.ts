import { describe, expect, test } from 'vitest';
import {
  aFault,
  aModelEvent,
  anAnswerOf,
  anExchange,
  anExchangeRecord,
  aReportCell,
  aReportModel,
  aRequest,
  aTrialEvent,
  passing,
} from '../../../test/support/build.js';
import type { Answer } from '../../chat/exchange.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { isLasting, unmeasuredGroups } from '../../matrix/unmeasured/unmeasured-groups.js';
import { unmeasuredGroupNotes } from '../../matrix/unmeasured/unmeasured-text.js';
import { openGathering } from './gather.js';

/** Each kind of request that a service stops to answer, and services that only stumble. */

const model = 'demo/m';
const tools: Json = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
const plain = aRequest();
const streamed = { ...plain, stream: true };
const withTools = { ...plain, tools };

const good: Partial<Answer> = {};
const cut = anAnswerOf('data: {"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}\n\n');
const refused403 = { status: 403, body: ['{"error":{"message":"Tool calling is not enabled for this project"}}'] };
const gateway504 = { status: 504, body: ['{"error":{"message":"upstream timed out"}}'] };
const busy503 = { status: 503, body: ['{"error":{"message":"overloaded"}}'] };
const hangUp: Partial<Answer> = { status: null, body: [], failure: { kind: 'connection_reset', message: 'reset' } };
const stopped: Partial<Answer> = { status: null, body: [], failure: { kind: 'interrupted', message: 'stopped' } };

/** A cell that was asked with this body and got these answers; it is measured if the last one is good. */
interface Asked {
  readonly body: JsonObject;
  readonly answers: readonly Partial<Answer>[];
  readonly cell?: Partial<ReportCell>;
  readonly purpose?: ExchangeRecord['purpose'];
  readonly faults?: number;
}

/** A stream that failed once and was then answered, but with nothing that could be judged. */
const answeredOnly: Asked = { body: streamed, answers: [cut, cut, cut], cell: { verdict: 'inconclusive' }, faults: 0 };

const asked = (body: JsonObject, ...answers: readonly Partial<Answer>[]): Asked => ({ body, answers });

function groupsOf(all: readonly Asked[]) {
  const gathering = openGathering();
  gathering.onEvent(aModelEvent(model));
  const cells = all.map(({ body, answers, cell, purpose = 'probe', faults = 1 }, at) => {
    const isMeasured = answers.at(-1) === good;
    const made = aReportCell({
      ...{ model, probe: `p${at}`, verdict: isMeasured ? 'pass' : 'inconclusive', detail: isMeasured ? null : 'why' },
      ...cell,
      trials: isMeasured ? {} : { faults },
    });
    const ids = answers.map((answer, attempt) => {
      const id = `e${at}-${attempt}`;
      const record = anExchangeRecord(id, made.key, { purpose, attempt });
      gathering.onEvent({ ...record, model, exchange: anExchange(body, answer) });
      return id;
    });
    gathering.onEvent(aTrialEvent(made.key, at, isMeasured ? passing : aFault(), ids));
    return made;
  });
  const models = [aReportModel(model)];
  return unmeasuredGroups({ models, cells }, gathering.gathered().unanswered);
}

const namesOf = (groups: ReturnType<typeof groupsOf>): readonly string[] =>
  groups.map((group) => `${group.shared ?? '-'} x${group.cells.length}${isLasting(group) ? ' lasts' : ''}`);

describe('what a model never answers', () => {
  test.each<[string, readonly Asked[], string]>([
    [
      'streams that are cut',
      [asked(plain, good), asked(streamed, cut, cut), asked({ ...streamed, tools }, cut, cut), asked(withTools, good)],
      'demo/m: none of its 4 requests with stream: true got a usable answer (cut off), while all 2 others did; 2 cells could not be measured: why',
    ],
    [
      'tools that are refused with 403',
      [
        asked(plain, good),
        asked(withTools, refused403),
        asked({ ...streamed, tools }, refused403),
        asked(streamed, good),
      ],
      'demo/m: none of its 2 requests with tools got a usable answer (HTTP 403), while all 2 others did; 2 cells could not be measured: why',
    ],
    [
      'a form that times out at the gateway',
      [
        asked(plain, good),
        asked({ ...plain, response_format: { type: 'json_schema' } }, gateway504, gateway504),
        asked({ ...plain, response_format: { type: 'json_schema' }, temperature: 0 }, gateway504, hangUp),
        asked({ ...plain, response_format: { type: 'json_object' } }, good),
      ],
      'demo/m: none of its 4 requests with response_format: json_schema got a usable answer (3 HTTP 504, 1 connection closed), while all 2 others did; 2 cells could not be measured: why',
    ],
    [
      'a setting on which the service hangs up, in one cell, again and again',
      [asked(plain, good), asked({ ...plain, thinking: { type: 'enabled' } }, hangUp, hangUp, hangUp)],
      'demo/m: none of its 3 requests with thinking: enabled got a usable answer (connection closed), while the only other one did; 1 cell could not be measured: why',
    ],
  ])('%s', (_, all, note) => {
    expect(unmeasuredGroupNotes({ unmeasured: groupsOf(all) })).toEqual([note]);
  });

  test('names what it was asked as object by that', () => {
    const body = { ...withTools, tool_choice: { type: 'function', function: { name: 'f' } } };
    const groups = groupsOf([asked(withTools, good), asked(body, hangUp), asked(body, hangUp)]);
    expect(namesOf(groups)).toEqual(['tool_choice: object x2 lasts']);
    expect(groups[0]?.exchanges).toEqual(['e1-0', 'e2-0']);
  });

  test('is told once for several models', () => {
    const [group] = groupsOf([asked(plain, good), asked(streamed, cut), asked(streamed, cut)]);
    if (group === undefined) throw new Error('no group');
    const all = ['demo/a', 'demo/b'].map((id) => ({ ...group, model: id }));
    expect(unmeasuredGroupNotes({ unmeasured: all })).toEqual([
      '2 models gave no usable answer to any request with stream: true, though they answered others: demo/a (2: cut off), demo/b (2: cut off); 4 cells could not be measured',
    ]);
  });
});

describe('nothing lasting is said', () => {
  test.each<[string, readonly Asked[], readonly string[]]>([
    [
      'where the same form was answered elsewhere',
      [asked(plain, good), asked(streamed, cut), asked(streamed, good)],
      ['- x1'],
    ],
    [
      'of one cell that met an overload',
      [asked(plain, good), asked(streamed, busy503, busy503, busy503)],
      ['stream: true x1'],
    ],
    ['of one request that failed once', [asked(plain, good), asked(streamed, gateway504)], ['stream: true x1']],
    ['of what was answered when it was sent again', [asked(plain, good), asked(streamed, cut, good)], []],
    ['of what the run itself stopped', [asked(plain, good), asked(streamed, stopped), asked(streamed, stopped)], []],
    [
      'of what is expected to fail',
      [
        asked(plain, good),
        {
          ...asked(streamed, cut),
          cell: {
            expected: {
              ...{ verdict: 'fail', class: 'transport', reason: null, status: null, passed: null, total: null },
              ...{ date: null, note: null, link: null, threshold: null },
            },
          },
        },
      ],
      [],
    ],
    ['of answers that settle nothing', [asked(plain, good), answeredOnly, answeredOnly], []],
    [
      'where a control of the same form was answered',
      [
        asked(plain, good),
        asked(streamed, cut),
        asked(streamed, cut),
        { ...asked(streamed, good), purpose: 'control' },
      ],
      ['- x2'],
    ],
  ])('%s', (_, all, groups) => {
    expect(namesOf(groupsOf(all))).toEqual(groups);
    expect(unmeasuredGroupNotes({ unmeasured: groupsOf(all) })).toEqual([]);
  });
});
