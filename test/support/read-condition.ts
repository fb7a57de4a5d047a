/**
 * Reads conditions by the grammar of docs/reports.md, from their text alone, and in every way in which it can be read: no
 * code of `src` may help, or a text that misleads would be read as it was meant.
 */

/** What a condition says of a point. */
export type Said = 'passes' | 'does not pass' | 'not known';

/** A request: one label of each axis, and `SUITE/PROBE`. */
export interface AskedPoint {
  readonly probe: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Sentence {
  /** All must be met. */
  readonly requirements: readonly Test[];
  /** None may be met. */
  readonly exclusions: readonly Test[];
  /** Nothing is said of what meets one of these. */
  readonly unknown: readonly Test[];
  readonly onlyAsked: boolean;
}

/** Whether a point is meant; null: the point does not have the axis. */
type Test = (point: AskedPoint) => boolean | null;
type Parse<T> = (text: string) => readonly (readonly [T, string])[];

const map =
  <A, B>(parse: Parse<A>, make: (value: A) => B): Parse<B> =>
  (text) =>
    parse(text).map(([value, rest]) => [make(value), rest]);
const either =
  <T>(...parses: readonly Parse<T>[]): Parse<T> =>
  (text) =>
    parses.flatMap((parse) => parse(text));
const both =
  <A, B>(first: Parse<A>, second: Parse<B>): Parse<readonly [A, B]> =>
  (text) =>
    first(text).flatMap(([a, rest]) => second(rest).map(([b, left]) => [[a, b] as const, left] as const));
const word =
  (wanted: string): Parse<string> =>
  (text) =>
    text.startsWith(wanted) ? [[wanted, text.slice(wanted.length)]] : [];
const after = <T>(wanted: string, parse: Parse<T>): Parse<T> => map(both(word(wanted), parse), ([, value]) => value);
const before = <T>(parse: Parse<T>, wanted: string): Parse<T> => map(both(parse, word(wanted)), ([value]) => value);
/** One or more, in every length. */
const many =
  <T>(parse: Parse<T>, between: string): Parse<readonly T[]> =>
  (text) =>
    parse(text).flatMap(([value, rest]): (readonly [readonly T[], string])[] => [
      [[value], rest],
      ...after(between, many(parse, between))(rest).map(([values, left]) => [[value, ...values], left] as const),
    ]);
const matching =
  <T>(pattern: RegExp, make: (groups: readonly string[]) => T): Parse<T> =>
  (text) => {
    const found = pattern.exec(text);
    return found === null ? [] : [[make(found.slice(1)), text.slice(found[0].length)]];
  };

const label = String.raw`[A-Za-z0-9._+-]+`;
const one: Parse<Test> = matching(
  new RegExp(`^(${label})=(${label})(?![A-Za-z0-9._+-])`),
  ([axis = '', wanted]) =>
    ({ labels }) =>
      labels[axis] === undefined ? null : labels[axis] === wanted,
);
const several: Parse<Test> = matching(
  new RegExp(`^(${label}): (${label}(?:, ${label})+)`),
  ([axis = '', list = '']) =>
    ({ labels }) => {
      const own = labels[axis];
      return own === undefined ? null : list.split(', ').includes(own);
    },
);
const path = `${label}/${label}`;
const probe: Parse<Test> = either(
  matching(
    new RegExp(`^probe (${path})`),
    ([name]) =>
      (point) =>
        point.probe === name,
  ),
  matching(
    new RegExp(`^probes (${path}(?:, ${path})+)`),
    ([list = '']) =>
      (point) =>
        list.split(', ').includes(point.probe),
  ),
);
const bound = (signs: string): Parse<Test> =>
  matching(
    new RegExp(String.raw`^(${label}) (${signs}) (-?\d+(?:\.\d+)?)(?![\w.])`),
    ([axis = '', sign, number]) =>
      ({ labels }) => {
        if (labels[axis] === undefined) return null;
        const value = Number(labels[axis]);
        if (sign === '>=') return value >= Number(number);
        if (sign === '<=') return value <= Number(number);
        return sign === '<' ? value < Number(number) : value > Number(number);
      },
  );

/** A requirement about an axis that a point does not have: a bound is met, a label is not. */
const met =
  (test: Test, whenMissing: boolean): Test =>
  (point) =>
    test(point) ?? whenMissing;
const all =
  (tests: readonly Test[]): Test =>
  (point) =>
    tests.every((test) => test(point) === true);

const requirement: Parse<Test> = either(
  map(bound('>=|<='), (test) => met(test, true)),
  map(several, (test) => met(test, false)),
  after(
    'only with ',
    map(many(either(one, probe), ' and '), (tests) => all(tests)),
  ),
);
const setting = either(one, several, probe);
const atom = either(setting, bound('<|>'));
const group: Parse<Test> = either(
  setting,
  before(
    map(both(before(atom, ' and '), many(atom, ' and ')), ([first, others]) => all([first, ...others])),
    ' together',
  ),
);
const exclusion = after('not with ', group);
const nothing: Parse<readonly Test[]> = (text) => [[[], text]];
const statement: Parse<readonly [readonly Test[], readonly Test[]]> = either(
  both(many(requirement, ' and '), nothing),
  both(nothing, many(exclusion, ' and ')),
  both(before(many(requirement, ' and '), ' and '), many(exclusion, ' and ')),
);
type Open = Pick<Sentence, 'unknown' | 'onlyAsked'>;
const notKnown = many(
  after(
    'not known with ',
    either(
      group,
      map(bound('<|>'), (test) => test),
    ),
  ),
  ' and ',
);
const notAsked = word('points that were not asked are not known');
const open: Parse<Open> = either<Open>(
  map(notKnown, (unknown) => ({ unknown, onlyAsked: false })),
  map(notAsked, () => ({ unknown: [], onlyAsked: true })),
  map(both(before(notKnown, ' and '), notAsked), ([unknown]) => ({ unknown, onlyAsked: true })),
);
const sentence: Parse<Sentence> = either(
  map(statement, ([requirements, exclusions]) => ({ requirements, exclusions, unknown: [], onlyAsked: false })),
  map(both(before(statement, '; '), open), ([[requirements, exclusions], rest]) => ({
    requirements,
    exclusions,
    ...rest,
  })),
);

/** Every way in which the text can be read; none: it is not of the grammar. */
export function readingsOf(text: string): readonly ((point: AskedPoint, wasAsked: boolean) => Said)[] {
  return sentence(text)
    .filter(([, rest]) => rest === '')
    .map(([{ requirements, exclusions, unknown, onlyAsked }]) => (point, wasAsked) => {
      const isMet = (test: Test): boolean => test(point) === true;
      if (!wasAsked && (onlyAsked || unknown.some(isMet))) return 'not known';
      if (unknown.some(isMet)) return 'not known';
      return requirements.every(isMet) && !exclusions.some(isMet) ? 'passes' : 'does not pass';
    });
}
