import { groupBy } from '../../json/group-by.js';
import { writtenJson } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { asSentence, faultText, joinedNames, type Names } from './names.js';
import { dayText } from './run-time.js';

/** Failures that were accepted for one reason, with a number that fields refer to. */
export interface KnownFailure {
  readonly number: number;
  /** As people call the models that show it. */
  readonly models: string;
  /** "`tool_choice` is refused (HTTP 400)." */
  readonly what: string;
  /** The day on which it was accepted; null: the baseline does not say. */
  readonly day: string | null;
  readonly note: string | null;
  readonly link: string | null;
  readonly cells: readonly string[];
}

type Accepted = ReportCell & { readonly expected: NonNullable<ReportCell['expected']> };

const isAccepted = (cell: ReportCell): cell is Accepted =>
  cell.expected !== null && cell.expected.verdict !== 'pass' && cell.standing === 'as_expected';

/** All failures that do what was accepted, numbered in the order of the report. */
export function knownFailures({ cells }: Pick<Report, 'cells'>, names: Names): readonly KnownFailure[] {
  const groups = groupBy(cells.filter(isAccepted), ({ expected }) =>
    writtenJson([faultText(expected), expected.note, expected.link, expected.date]),
  );
  return [...groups.values()].flatMap((group, index) => {
    const [first] = group;
    if (first === undefined) return [];
    const { expected } = first;
    return {
      number: index + 1,
      models: joinedNames([...new Set(group.map(({ model }) => names.model(model)))], 3),
      what: `${asSentence(faultText(expected))}.`,
      day: expected.date === null ? null : dayText(expected.date),
      note: expected.note,
      link: expected.link,
      cells: group.map(({ key }) => key),
    };
  });
}
