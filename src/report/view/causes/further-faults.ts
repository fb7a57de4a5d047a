import { compareTexts } from '../../../json/compare-texts.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import { supportLine } from '../deviation-view.js';
import { failuresAlike } from '../typical-failure.js';
import type { CauseFault } from './cause.js';
import { type Fault, faultOf, faultsOfFailure } from './fault.js';

interface Seen extends Fault {
  readonly cell: string;
}

/**
 * What cells of a cause say besides what its example says, each once and with a trial that says it. An answer without
 * any of its members violates a schema many times, so what it says after its first violation is told by its kind.
 * @param evidence the command that shows a cell, or an exchange
 */
export function furtherFaults(
  cells: readonly ReportCell[],
  example: ReportCell | null,
  evidence: (what: string) => string,
): readonly CauseFault[] {
  const [first, later] = [new Map<string, Seen>(), new Map<string, Seen>()];
  for (const cell of cells) {
    const seen = (fault: Fault): Seen => ({ ...fault, cell: cell.key });
    const own = faultOf(cell);
    keep(first, own.says, seen(own));
    for (const failure of failuresAlike(cell)) {
      const [one, ...others] = faultsOfFailure(failure, cell);
      if (one !== undefined) keep(first, one.says, seen(one));
      for (const other of others) keep(later, other.kind || other.says, seen(other));
    }
  }
  const shown = new Set([...first.values()].map(({ kind, says }) => kind || says));
  const added = [...later].filter(([name, { says }]) => !shown.has(name) && !first.has(says)).map(([, fault]) => fault);
  const ofExample = example === null ? null : faultOf(example).says;
  return [...first.values(), ...added]
    .filter(({ says, text }) => says !== ofExample && text !== '')
    .sort((one, other) => compareTexts(one.says, other.says))
    .map(({ text, cell, failure }) => ({
      ...{ text, cell, support: failure === null ? null : supportLine(failure) },
      evidence: evidence(failure?.exchange ?? cell),
    }));
}

/** The first with an id for support stays. */
function keep(faults: Map<string, Seen>, name: string, fault: Seen): void {
  const known = faults.get(name);
  if (known === undefined || (known.failure === null && fault.failure !== null)) faults.set(name, fault);
}
