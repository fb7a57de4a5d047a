import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { comparedTooLittle, diffModels, diffRuns, lostSomething } from '../../matrix/diff/diff-reports.js';
import type { Report, ReportQuirk } from '../../matrix/report-format.js';
import { redactor } from '../safe/redact.js';
import { renderDiffTerminal } from './render-diff.js';

/** Every cell passes on both sides: what a client of the user makes of the answers is all that differs. */

const [old, fresh] = ['demo/old', 'demo/new'];
const names = ['text', 'json', 'tool', 'flow'];

interface Side {
  readonly breaks?: readonly string[];
  readonly reads?: readonly string[] | undefined;
  readonly quirk?: string;
  readonly streams?: number;
  readonly verdict?: 'pass' | 'fail';
}

const openai = { breaks: ['openai 6.49: throws'], reads: ['ai 5.0'] };

function sideOf(model: string, { breaks, reads, quirk = 'choices_missing_in_chunk', streams = 4, verdict }: Side) {
  const isOdd = breaks !== undefined;
  const cells = names
    .slice(0, streams)
    .map((probe) => aReportCell({ probe, model, quirks: isOdd ? [quirk] : [], verdict: verdict ?? 'pass' }));
  const own: ReportQuirk | null = isOdd
    ? {
        ...{ model, quirk, standing: 'as_expected', only: 'streamed', seen: streams, of: streams, breaks },
        ...{ cells: cells.map(({ key }) => key), exchange: null, ...(reads && { reads }) },
      }
    : null;
  return { cells, wire: own === null ? [] : [own] };
}

function reportOf(sides: Readonly<Record<string, Side>>): Report {
  const all = Object.entries(sides).map(([model, side]) => sideOf(model, side));
  return aReport({
    models: Object.keys(sides).map((id) => aReportModel(id)),
    ...{ cells: all.flatMap(({ cells }) => cells), wire: all.flatMap(({ wire }) => wire) },
  });
}

function said(base: Side, head: Side) {
  const report = reportOf({ [old]: base, [fresh]: head });
  const diff = diffModels(report, report, old, fresh);
  const text = renderDiffTerminal(diff, { redact: redactor(), color: false, columns: 200 });
  return { diff, text, code: lostSomething(diff) ? 1 : comparedTooLittle(diff) ? 3 : 0 };
}

describe('a client of the user that fails on every answer of the head', () => {
  test('is what breaks, and is lost', () => {
    const { text, code } = said({}, openai);
    expect(code).toBe(1);
    expect(text).toContain(
      'What breaks (1)\n  openai 6.49\n    worked -> throws: demo/new shows choices_missing_in_chunk in 4 of 4 answers (in 4 cells)',
    );
    expect(text).toContain('1 client can no longer read the answers: openai 6.49 (throws). 0 cells lost, 0 gained');
    expect(text).not.toContain('Nothing lost');
  });

  test('is lost between two runs as well', () => {
    const diff = diffRuns(reportOf({ [old]: {} }), reportOf({ [old]: openai }));
    expect(lostSomething(diff)).toBe(true);
    expect(renderDiffTerminal(diff, { redact: redactor(), color: false, columns: 200 })).toContain('What breaks (1)');
    expect(lostSomething(diffRuns(reportOf({ [old]: openai }), reportOf({ [old]: {} })))).toBe(false);
  });

  test('may break where too few answers show it, and is not proved lost', () => {
    const { text, code } = said({ streams: 2 }, { ...openai, streams: 2 });
    expect(code).toBe(0);
    expect(text).toContain('May break (could be chance) (1)\n  openai 6.49\n');
    expect(text).toContain('new in 2 of 2 answers, too few to be the rule; breaks: openai 6.49: throws');
    expect(text).toContain('Nothing proved lost');
    expect(text).toContain('openai 6.49 (throws) cannot read the few answers that were compared');
  });
});

test.each<[string, Side, Side]>([
  ['no client is named, and breaks says what may go wrong in some', {}, { ...openai, reads: undefined }],
  ['the client reads it', {}, { breaks: [], reads: ['openai 6.49'] }],
  ['only some models of the quirk make it fail', {}, { breaks: ['openai 6.49: sometimes throws'], reads: [] }],
  ['a ?. in the code is enough', {}, { breaks: ['openai 6.49: needs ?.'], reads: [] }],
  ['it failed on another quirk of the base in the same cells', { ...openai, quirk: 'role_missing' }, openai],
  ['it failed on the same quirk of the base', openai, openai],
  ['nothing passed there before', { verdict: 'fail' }, { ...openai, verdict: 'fail' }],
])('nothing is lost where %s', (_, base, head) => {
  const { code, text, diff } = said(base, head);
  expect([code, diff.clients]).toEqual([0, undefined]);
  expect(text).not.toContain('What breaks');
});
