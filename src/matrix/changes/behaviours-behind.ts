import { writtenJson } from '../../json/json.js';
import type { Report, ReportBehaviour, ReportCell } from '../report-format.js';

/** By cell. */
export type Behaviours = ReadonlyMap<string, ReportBehaviour>;

/** By cell: the behaviour that explains it. Other cells of the model that fail in the same way have the same cause. */
export function behavioursBehind({ behaviours, cells }: Pick<Report, 'behaviours' | 'cells'>): Behaviours {
  const behind = new Map(behaviours.flatMap((one) => one.cells.map((key) => [key, one] as const)).reverse());
  const failing = cells.filter(({ verdict }) => verdict === 'fail');
  const faultOf = ({ model, class: kind, reason, status }: ReportCell) => writtenJson([model, kind, reason, status]);
  const byFault = new Map(
    failing.flatMap((cell) => {
      const behaviour = behind.get(cell.key);
      return behaviour === undefined ? [] : [[faultOf(cell), behaviour] as const];
    }),
  );
  for (const cell of failing) {
    const behaviour = byFault.get(faultOf(cell));
    if (behaviour !== undefined && !behind.has(cell.key)) behind.set(cell.key, behaviour);
  }
  return behind;
}
