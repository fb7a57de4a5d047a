/** A statement about one axis of a request. */
export type Statement = LabelStatement | BoundStatement;

interface LabelStatement {
  readonly axis: string;
  readonly labels: readonly string[];
}

export interface BoundStatement {
  readonly axis: string;
  readonly sign: '>=' | '<=';
  readonly bound: number;
}

/** One part of a condition: what must hold of a request, or what must not hold together. */
export type Part =
  | { readonly kind: 'only'; readonly statement: Statement }
  | { readonly kind: 'not'; readonly statements: readonly Statement[] };

/** When a capability can be relied on: every part is met. */
export type Condition = readonly Part[];

/** One label of each axis. */
export type Labels = Readonly<Record<string, string>>;

export const isBound = (statement: Statement): statement is BoundStatement => 'sign' in statement;

/** Whether a label is a number, so that a bound can stand between it and others. */
export function isNumeric(label: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(label);
}

/** undefined: the request does not have the axis. */
function isTrueOf(statement: Statement, labels: Labels): boolean | undefined {
  const label = labels[statement.axis];
  if (label === undefined) return undefined;
  if (!isBound(statement)) return statement.labels.includes(label);
  return statement.sign === '>=' ? Number(label) >= statement.bound : Number(label) <= statement.bound;
}

/** A request without the axis meets a bound, and no list of labels. */
export function isMet(part: Part, labels: Labels): boolean {
  if (part.kind === 'not') return part.statements.some((one) => isTrueOf(one, labels) !== true);
  return isTrueOf(part.statement, labels) ?? isBound(part.statement);
}

/** "only with thinking=disabled and max_tokens >= 1280": the grammar is that of docs/reports.md. */
export function conditionText(condition: Condition): string {
  const texts = condition.map((part): string => {
    if (part.kind === 'only')
      return isBound(part.statement) ? textOf(part.statement) : `only with ${textOf(part.statement)}`;
    const listed = part.statements.map(textOf).join(' and ');
    return `not with ${listed}${part.statements.length > 1 ? ' together' : ''}`;
  });
  return texts.join(' and ');
}

function textOf(statement: Statement): string {
  const { axis } = statement;
  if (isBound(statement)) return `${axis} ${statement.sign} ${statement.bound}`;
  const { labels } = statement;
  return labels.length === 1 ? `${axis}=${labels.join('')}` : `${axis}: ${labels.join(', ')}`;
}
