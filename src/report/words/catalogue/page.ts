import type { Verdict } from '../../../cell/verdict.js';
import type { CapabilityVerdict } from '../../../matrix/report-format.js';
import { type Plain, text } from '../message.js';

/** Headings and labels of the page, also in its templates. */
const page = {
  overview: text('Overview'),
  changes: text('Changes'),
  matrix: text('Matrix'),
  models: text('Models'),
  compare: text('Compare'),
  history: text('History'),
  run: text('Run'),
  skip: text('Skip to the overview'),
  views: text('Views'),
  search: text('Search  /'),
  searchReport: text('Search the report'),
  searchResults: text('Search results'),
  whatChanged: text('What changed'),
  nothingChanged: text('Nothing changed.'),
  inDoubt: text('In doubt or unreliable'),
  evidence: text('Evidence'),
  requestAndAnswer: text('Request and answer'),
  request: text('Request'),
  answer: text('Answer'),
  whatYouCanUse: text('What you can use'),
  seconds: text('Seconds'),
  model: text('Model'),
  capability: text('Capability'),
  changedOnly: text('changed models only'),
  passingCells: text('Passing cells'),
  medianAnswer: text('Median answer'),
  slowAnswer: text('95 of 100 within'),
  tokens: text('Tokens'),
  cost: text('Cost'),
  profile: text('Profile'),
  requests: text('Requests'),
  lastRuns: text('Last runs'),
  useFor: text('Use it for'),
  mind: text('Mind'),
  notFor: text('Not for'),
  behaviours: text('Behaviours'),
  wireFormat: text('Wire format'),
  firstModel: text('First model'),
  secondModel: text('Second model'),
  with: text('with'),
  published: text('Data:'),
  feed: text('Feed of changes'),
  noHistory: text('No earlier run stands beside this one.'),
};

/** What the script of the page says. */
const browserTexts = {
  copy: text('Copy'),
  copied: text('Copied'),
  close: text('Close'),
  noCell: text('No such cell'),
  otherRun: text('The link belongs to another run, or the probe has another name now.'),
  passes: text('The capability passes:'),
  noAnswer: text('no answer'),
  exchange: text('Exchange'),
  cameBack: text('What came back'),
  request: text('Request'),
  response: text('Response'),
  same: text('They do not differ.'),
  capability: text('Capability'),
  hit: text('hit'),
  hits: text('hits'),
};

/** What a cell shows, in one sentence. */
const cells = {
  pass: text<{ passed: number; total: number }>('Passes: {passed, number} of {total, number}.'),
  flaky: text<{ passed: number; total: number; fault: string }>(
    'Passes sometimes, {passed, number} of {total, number}: {fault}.',
  ),
  fail: text<{ passed: number; total: number; fault: string }>('Fails, {passed, number} of {total, number}: {fault}.'),
  inconclusive: text<{ faults: number; fault: string }>(
    'Not measured: {fault} ({faults, plural, one {# fault} other {# faults}}).',
  ),
  blocked: text('Not asked: something that it needs does not pass.'),
  not_run: text('Not asked in this run.'),
  expected: text<{ fault: string; passed: string }>(
    'The baseline expects: {fault}{passed, select, none {} other {, {passed} passed}}.',
  ),
  served: text<{ field: string; value: string; passed: number; total: number }>(
    'With {field} {value}, {passed, number} of {total, number} passed.',
  ),
  needs: text<{ needs: string; explain: string }>(
    'It needs {needs}, which passes only sometimes{explain, select, yes {: perhaps the same failure} other {}}.',
  ),
};

/** Verdicts of cells and capabilities. */
const verdictTexts: Readonly<Record<Verdict | CapabilityVerdict, Plain>> = {
  pass: text('pass'),
  partial: text('on a condition'),
  flaky: text('flaky'),
  fail: text('fail'),
  inconclusive: text('could not be measured'),
  blocked: text('blocked'),
  not_run: text('not run'),
};

/** How one run did in a strip. */
const stripTexts = {
  good: text('as expected'),
  bad: text('not passing'),
  mixed: text('in part'),
  none: text('not asked'),
  gone: text('gone'),
};

export const pageTexts = { page, browserTexts, cells, verdictTexts, stripTexts };
