import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import { countStates, testCases, cellTimes, type TestCase, type TestCaseSources } from './test-cases.js';
import { xmlText } from '../safe/escape.js';
import { shownReport } from '../safe/shown-report.js';

type Xml = Readonly<Record<string, unknown>>;

/**
 * JUnit XML with a suite for each model and a test case for each cell. Models that are gone, changes of the wire and a
 * run that could not be measured have suites of their own. The time of a cell is that of its requests, which run among
 * others.
 */
export async function renderJunit(report: Report, { redact, ...context }: TestCaseSources): Promise<string> {
  const { default: XmlBuilder } = await import('fast-xml-builder');
  const clean = shownReport(report, redact);
  const cases = testCases(clean, context);
  const times = await cellTimes(report, context);
  const timed = (some: readonly TestCase[]): Readonly<Record<string, string>> => {
    const known = some.flatMap(({ cell }) => times.get(cell?.key ?? '') ?? []);
    return known.length === 0 ? {} : { time: (known.reduce((sum, one) => sum + one, 0) / 1000).toFixed(3) };
  };
  const timestamp = clean.run.started_at;
  const suites = [...groupBy(cases, ({ group }) => group)].map(([name, ofGroup]) => ({
    ...xmlAttributes({
      name,
      ...junitCounts(ofGroup),
      skipped: countStates(ofGroup).skipped,
      ...timed(ofGroup),
      timestamp,
    }),
    testcase: ofGroup.map((one) => ({ ...xmlAttributes(timed([one])), ...testCase(one) })),
  }));
  const builder = new XmlBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });
  return builder.build({
    '?xml': xmlAttributes({ version: '1.0', encoding: 'UTF-8' }),
    testsuites: { ...xmlAttributes({ name: 'chatspec', ...junitCounts(cases), ...timed(cases) }), testsuite: suites },
  });
}

function testCase({ name, place, state, type, message, lines }: TestCase): Xml {
  const head = xmlAttributes({ name, classname: place });
  const about = { type: type ?? state, message: message ?? state };
  const body = lines.join('\n');
  switch (state) {
    case 'passed':
      return message === null ? head : { ...head, 'system-out': xmlText(message) };
    case 'failed':
      return { ...head, failure: { ...xmlAttributes(about), '#text': xmlText(body) } };
    case 'error':
      return { ...head, error: { ...xmlAttributes(about), '#text': xmlText(body) } };
    case 'skipped':
      // Readers of JUnit show no text within `skipped`.
      return { ...head, skipped: xmlAttributes(about), 'system-out': xmlText(body) };
  }
}

/** The common schema has no `skipped` on `testsuites`. */
function junitCounts(cases: readonly TestCase[]): Readonly<Record<string, number>> {
  const { failed, error } = countStates(cases);
  return { tests: cases.length, failures: failed, errors: error };
}

function xmlAttributes(values: Readonly<Record<string, string | number>>): Xml {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@_${name}`, xmlText(String(value))]));
}
