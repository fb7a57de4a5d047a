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
  byModels: text('Capabilities by models'),
  ask: text('Ask the matrix'),
  passingCells: text('Checks passed'),
  medianAnswer: text('Median answer'),
  slowAnswer: text('95th percentile'),
  tokens: text('Tokens'),
  cost: text('Cost'),
  price: text('Price'),
  costPerAnswer: text('Cost per answer (currency of the prices)'),
  profile: text('Profile'),
  requests: text('Requests'),
  lastRuns: text('Last 8 runs (oldest first)'),
  useFor: text('Use it for'),
  mind: text('Watch out for'),
  notFor: text('Do not use for'),
  behaviours: text('Behaviours'),
  wireFormat: text('Wire format'),
  firstModel: text('First model'),
  secondModel: text('Second model'),
  with: text('with'),
  published: text('Data:'),
  feed: text('Feed of changes'),
  noHistory: text('No earlier runs were found.'),
  knownFailures: text('Known failures, and why they were accepted'),
  acceptedLine: text('baseline accepted'),
  acceptedOn: text('Accepted on'),
};

/** Questions to the matrix, in three groups. */
const askTexts = {
  need: text('Needs'),
  setting: text('Settings'),
  question: text('Questions'),
  without: text<{ setting: string }>('without {setting}'),
  alone: text('only this one fails'),
  worse: text('became worse'),
  flaky: text('flaky in the last ten runs'),
  changed: text('changed models only'),
};

/** Texts of the page's script. */
const browserTexts = {
  copy: text('Copy'),
  copied: text('Copied'),
  selected: text('Selected: press Ctrl+C'),
  support: text('Copy for support'),
  prompt: text('Copy as prompt'),
  ask: text(
    'A request to a Chat Completions service fails this check. Say what to change in the request or in the client.',
  ),
  time: text('Time'),
  models: text('The same probe on every model'),
  othersPass: text('Other models that pass:'),
  points: text('Other checks of this capability and probe'),
  ofAll: text('of'),
  close: text('Close'),
  noCell: text('This report has no such check'),
  otherRun: text('The link may come from another run, or the probe was renamed.'),
  passes: text('Works with'),
  noAnswer: text('no answer'),
  exchange: text('Request and answer'),
  firstOf: text('first of'),
  cameBack: text('Answer'),
  lastGood: text('Last good answer'),
  firstBad: text('Answer now'),
  request: text('Request'),
  response: text('Response'),
  same: text('No differences.'),
  sends: text('What to send, speed and price'),
  differ: text('Where they differ'),
  qualify: text('models qualify'),
  cheapestFirst: text(', the cheapest first'),
  checksFound: text('Checks:'),
  capability: text('Capability'),
  need: text('Need'),
  hit: text('hit'),
  hits: text('hits'),
};

/** One sentence for the result of a cell. */
const cells = {
  pass: text<{ passed: number; total: number }>('{passed, number} of {total, number} passed.'),
  flaky: text<{ passed: number; total: number; fault: string }>(
    'Flaky: {passed, number} of {total, number} passed. The others: {fault}.',
  ),
  fail: text<{ passed: number; total: number; fault: string }>(
    'Fails: {passed, number} of {total, number} passed. {fault}.',
  ),
  inconclusive: text<{ judged: string; faults: number; fault: string }>(
    '{judged, select, yes {Could not be judged} other {Not measured}}: {fault}{faults, plural, =0 {} one { (# fault)} other { (# faults)}}.',
  ),
  since: text<{ verdict: string; day: string; runs: number; before: string }>(
    '{verdict, select, pass {Passes} fail {Fails} other {Flaky}} since {day} ({runs, plural, one {# run} other {# runs}}){before, select, none {} other {; {before} passed before}}.',
  ),
  blocked: text<{ why: string }>('Skipped{why, select, none {} other {: {why}}}.'),
  not_run: text('Not asked in this run.'),
  expected: text<{ day: string; fault: string; passed: number; total: number }>(
    'As accepted{day, select, none {} other { on {day}}}: {total, plural, =0 {} other {{passed, number} of # passed: }}{fault}.',
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
  partial: text('with conditions'),
  flaky: text('flaky'),
  fail: text('fail'),
  inconclusive: text('not measured'),
  blocked: text('skipped'),
  not_run: text('not asked'),
};

/** How one run did in a strip. */
const stripTexts = {
  good: text('as expected'),
  bad: text('not passing'),
  mixed: text('in part'),
  none: text('not asked'),
  gone: text('gone'),
};

export const pageTexts = { page, askTexts, browserTexts, cells, verdictTexts, stripTexts };
