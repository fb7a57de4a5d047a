/** A judged request; null: it passes at times, and may be on either side. */
export interface JudgedPoint {
  readonly labels: AxisLabels;
  readonly passes: boolean | null;
}

/** A longer list of labels is hard to read. */
const mostLabels = 6;

/**
 * A condition with the labels that a client sends to meet it, of a point that passes; of a bound, the value where it
 * stands.
 */
interface ConditionFound {
  readonly condition: Condition;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The shortest exact statement of which points pass and which do not: parts about at most two axes and one bound, or
 * two axes that fail only together; null: there is none.
 */
export function findCondition(points: readonly JudgedPoint[]): ConditionFound | null {
  const condition = shortestCondition(points);
  return condition === null ? null : { condition, settings: settingsFor(condition, points) };
}

function shortestCondition(points: readonly JudgedPoint[]): Condition | null {
  const passing = points.filter(({ passes }) => passes === true);
  const failing = points.filter(({ passes }) => passes === false);
  if (passing.length === 0 || failing.length === 0) return null;
  const axes = [...new Set(points.flatMap(({ labels }) => Object.keys(labels)))];
  const isExact = (condition: Condition): boolean =>
    passing.every(({ labels }) => condition.every((part) => isPartMet(part, labels))) &&
    failing.every(({ labels }) => condition.some((part) => !isPartMet(part, labels)));
  const parts = axes.flatMap((axis) => partOn(axis, passing, failing) ?? []);
  const single = parts.find((part) => isExact([part]));
  if (single !== undefined) return [single];
  const together = allPairs(axes).flatMap(([a, b]): Condition[] => {
    const statements = [a, b].flatMap((axis) => failingStatement(axis, passing, failing) ?? []);
    return statements.length < 2 ? [] : [[{ kind: 'not', statements }]];
  });
  return [...together, ...allPairs(parts), ...triplesOf(parts)].find(isExact) ?? null;
}

function settingsFor(condition: Condition, points: readonly JudgedPoint[]): Record<string, string> {
  const statements = condition.flatMap((part) => (part.kind === 'only' ? [part.statement] : part.statements));
  const good = points.filter(
    ({ passes, labels }) => passes === true && condition.every((part) => isPartMet(part, labels)),
  );
  const shown = good.find(({ labels }) => statements.every(({ axis }) => labels[axis] !== undefined)) ?? good[0];
  const bounds = new Map(
    condition.flatMap((part) =>
      part.kind === 'only' && isBound(part.statement)
        ? [[part.statement.axis, String(part.statement.bound)] as const]
        : [],
    ),
  );
  return Object.fromEntries(
    statements.flatMap(({ axis }) => {
      const label = bounds.get(axis) ?? shown?.labels[axis];
      return label === undefined ? [] : [[axis, label]];
    }),
  );
}

function allPairs<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): readonly [T, T] => [a, b]));
}

/** Of which one is a bound. */
function triplesOf(parts: readonly ConditionPart[]): Condition[] {
  const isBoundPart = (part: ConditionPart): boolean => part.kind === 'only' && isBound(part.statement);
  const [bounds, lists] = [parts.filter(isBoundPart), parts.filter((part) => !isBoundPart(part))];
  return allPairs(lists).flatMap(([a, b]) => bounds.map((bound) => [a, b, bound]));
}

function labelsOn(axis: string, points: readonly JudgedPoint[]): string[] {
  return [...new Set(points.flatMap(({ labels }) => labels[axis] ?? []))];
}

/** The strictest part about one axis that all passing points meet; null: it excludes no failing point. */
function partOn(axis: string, passing: readonly JudgedPoint[], failing: readonly JudgedPoint[]): ConditionPart | null {
  const [good, bad] = [labelsOn(axis, passing), labelsOn(axis, failing)];
  if ([...good, ...bad].every(isNumeric)) {
    const bound = boundOn(axis, good, bad);
    return bound === null ? null : { kind: 'only', statement: bound };
  }
  const wrong = bad.filter((label) => !good.includes(label));
  const hasAxis = ({ labels }: JudgedPoint): boolean => labels[axis] !== undefined;
  const mayRequire = good.length > 0 && passing.every(hasAxis) && good.length <= mostLabels;
  const mustRequire = failing.some((one) => !hasAxis(one));
  if (mayRequire && (mustRequire || good.length <= wrong.length)) {
    return { kind: 'only', statement: { axis, labels: good } };
  }
  if (wrong.length === 0 || wrong.length > mostLabels) return null;
  return { kind: 'not', statements: [{ axis, labels: wrong }] };
}

/** All passing values lie on one side of some failing ones. */
function boundOn(axis: string, good: readonly string[], bad: readonly string[]): BoundStatement | null {
  if (good.length === 0) return null;
  const [least, most] = [Math.min(...good.map(Number)), Math.max(...good.map(Number))];
  const [isBelow, isAbove] = [bad.some((label) => Number(label) < least), bad.some((label) => Number(label) > most)];
  if (isBelow === isAbove) return null;
  return isBelow ? { axis, sign: '>=', bound: least } : { axis, sign: '<=', bound: most };
}

/** The narrowest statement about one axis that is true of all failing points. */
function failingStatement(
  axis: string,
  passing: readonly JudgedPoint[],
  failing: readonly JudgedPoint[],
): Statement | null {
  const [good, bad] = [labelsOn(axis, passing), labelsOn(axis, failing)];
  if (failing.some(({ labels }) => labels[axis] === undefined)) return null;
  if ([...good, ...bad].every(isNumeric)) {
    const values = bad.map(Number);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (good.some((label) => Number(label) > most)) return { axis, sign: '<=', bound: most };
    if (good.some((label) => Number(label) < least)) return { axis, sign: '>=', bound: least };
  }
  return bad.length > mostLabels ? null : { axis, labels: bad };
}

/** A statement about one axis of a request. */
type Statement = LabelStatement | BoundStatement;

interface LabelStatement {
  readonly axis: string;
  readonly labels: readonly string[];
}

interface BoundStatement {
  readonly axis: string;
  readonly sign: '>=' | '<=';
  readonly bound: number;
}

/** One part of a condition: what must hold of a request, or what must not hold together. */
type ConditionPart =
  | { readonly kind: 'only'; readonly statement: Statement }
  | { readonly kind: 'not'; readonly statements: readonly Statement[] };

/** When a capability can be relied on: every part is met. */
export type Condition = readonly ConditionPart[];

/** One label of each axis. */
type AxisLabels = Readonly<Record<string, string>>;

const isBound = (statement: Statement): statement is BoundStatement => 'sign' in statement;

/** Whether a label is a number, so that a bound can stand between it and others. */
export function isNumeric(label: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(label);
}

/** undefined: the request does not have the axis. */
function isTrueOf(statement: Statement, labels: AxisLabels): boolean | undefined {
  const label = labels[statement.axis];
  if (label === undefined) return undefined;
  if (!isBound(statement)) return statement.labels.includes(label);
  return statement.sign === '>=' ? Number(label) >= statement.bound : Number(label) <= statement.bound;
}

/** A request without the axis meets a bound, and no list of labels. */
function isPartMet(part: ConditionPart, labels: AxisLabels): boolean {
  if (part.kind === 'not') return part.statements.some((one) => isTrueOf(one, labels) !== true);
  return isTrueOf(part.statement, labels) ?? isBound(part.statement);
}

/** "only with thinking=disabled and max_tokens >= 1280": the grammar is that of docs/reports.md. */
export function conditionText(condition: Condition): string {
  const texts = condition.map((part): string => {
    if (part.kind === 'only') {
      return isBound(part.statement) ? statementText(part.statement) : `only with ${statementText(part.statement)}`;
    }
    const listed = part.statements.map(statementText).join(' and ');
    return `not with ${listed}${part.statements.length > 1 ? ' together' : ''}`;
  });
  return texts.join(' and ');
}

function statementText(statement: Statement): string {
  const { axis } = statement;
  if (isBound(statement)) return `${axis} ${statement.sign} ${statement.bound}`;
  const { labels } = statement;
  return labels.length === 1 ? `${axis}=${labels.join('')}` : `${axis}: ${labels.join(', ')}`;
}
