/** What the contract says of a run's files, and readable tables of it. Sentences, times and digests are left out. */
export interface Report {
  readonly format: string;
  readonly run: {
    readonly id: string;
    readonly complete: boolean;
    readonly profile: string;
    readonly seed: number;
    readonly requests: number;
    readonly usage: Readonly<Record<string, number>>;
    readonly cost: number | null;
    readonly digests: Readonly<Record<string, string>>;
  };
  readonly models: readonly {
    readonly id: string;
    readonly target: string;
    readonly model: string;
    readonly as: string | null;
    readonly reachable: boolean;
    readonly standing: string;
    readonly served: readonly string[];
  }[];
  readonly cells: readonly Cell[];
  readonly capabilities: readonly {
    readonly model: string;
    readonly capability: string;
    readonly verdict: string;
    readonly condition: string | null;
    readonly cells: readonly string[];
  }[];
  readonly behaviours: readonly { readonly id: string; readonly model: string; readonly cells: readonly string[] }[];
  readonly recommendations: readonly {
    readonly model: string;
    readonly need: string;
    readonly form: string | null;
    readonly settings: Readonly<Record<string, string>>;
  }[];
  readonly wire: readonly { readonly model: string; readonly quirk: string; readonly standing: string }[];
}

export interface Cell {
  readonly key: string;
  readonly model: string;
  readonly verdict: string;
  readonly class: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly rung: string | null;
  readonly trials: { readonly total: number; readonly passed: number; readonly faults: number };
  readonly threshold: { readonly value: number | null } | null;
  readonly enforcement: string | null;
  readonly quirks: readonly string[];
  readonly standing: string | null;
  readonly exchanges: readonly string[];
}

type Fact = string | number | boolean | null | undefined;

const shown = (fact: Fact): string => (fact === null || fact === undefined || fact === '' ? '-' : String(fact));

/** Rows in columns as wide as their widest fact; what is null or empty is a dash. A row of one fact is a heading. */
export function table(head: readonly string[], rows: readonly (readonly Fact[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(shown))];
  const columns = lines.filter(({ length }) => length > 1);
  const widths = head.map((_, at) => Math.max(...columns.map((line) => line[at]?.length ?? 0)));
  const text = (line: readonly string[]): string =>
    line.length === 1
      ? line[0]!
      : line
          .map((fact, at) => fact.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd();
  return lines.map((line) => `${text(line)}\n`).join('');
}

const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** One line a cell, by model. Not asked and asked without an answer are alike: which it is, is a matter of pace. */
export function cellTable({ cells, models }: Pick<Report, 'cells' | 'models'>): string {
  const rows = (id: string): string[][] =>
    cells
      .filter(({ model }) => model === id)
      .sort((a, b) => inOrder(a.key, b.key))
      .map((cell) => {
        const unmeasured = cell.verdict === 'inconclusive' || cell.verdict === 'not_run';
        const failure = unmeasured ? [null, null, null] : [cell.class, cell.reason, cell.status];
        const row = [unmeasured ? 'unmeasured' : cell.verdict, ...failure, cell.rung, passed(cell), cell.standing];
        return [cell.key.slice(0, -id.length - 1), ...row, cell.quirks.toSorted().join(',')].map(shown);
      });
  const head = ['cell', 'verdict', 'class', 'reason', 'status', 'rung', 'passed', 'standing', 'quirks'];
  return table(
    head,
    models.flatMap(({ id }) => [[`# ${id}`], ...rows(id)]),
  );
}

function passed({ trials }: Cell): string | null {
  if (trials.total === 0) return null;
  if (trials.passed === trials.total) return 'all';
  return trials.passed === 0 ? 'none' : 'some';
}

export const modelTable = ({ models }: Report): string =>
  table(
    ['model', 'target', 'id', 'as', 'reachable', 'standing', 'served'],
    models.map((one) => [one.id, one.target, one.model, one.as, one.reachable, one.standing, one.served.join(',')]),
  );

export const capabilityTable = ({ capabilities, models }: Report): string =>
  table(
    ['capability', 'verdict', 'condition'],
    models.flatMap(({ id }) => [
      [`# ${id}`],
      ...capabilities
        .filter(({ model }) => model === id)
        .map(({ capability, verdict, condition }) => [capability, verdict, condition])
        .sort((a, b) => inOrder(a[0]!, b[0]!)),
    ]),
  );

export const behaviourTable = ({ behaviours }: Report): string =>
  table(['behaviour', 'model'], behaviours.map(({ id, model }) => [id, model]).sort());

export const wireTable = ({ wire }: Report): string =>
  table(['model', 'quirk', 'standing'], wire.map(({ model, quirk, standing }) => [model, quirk, standing]).sort());

/** Without settings that only repeat how a form was asked: a cap that no condition is about, and a default. */
export function recommendationTable({ recommendations, capabilities }: Report): string {
  const matters = (model: string, form: string | null, name: string): boolean =>
    name !== 'max_tokens' ||
    capabilities.some(
      (one) => one.model === model && one.capability.endsWith(`.${form}`) && one.condition?.includes(name),
    );
  return table(
    ['model', 'need', 'form', 'settings'],
    recommendations
      .map(({ model, need, form, settings }) => [
        ...[model, need, form],
        Object.entries(settings)
          .filter(([name, label]) => label !== 'default' && matters(model, form, name))
          .map(([name, label]) => `${name}=${label}`)
          .sort()
          .join(' '),
      ])
      .sort(),
  );
}

/** The facts in which two reports of the same answers are alike. */
export const sameFacts = (report: Report): string =>
  [cellTable(report), modelTable(report), capabilityTable(report), behaviourTable(report)]
    .concat([recommendationTable(report), wireTable(report)])
    .join('\n');

export const linesOf = <T>(jsonl: string): T[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
