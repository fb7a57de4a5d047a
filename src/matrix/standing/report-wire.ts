import { quirkStandings } from '../../decide/wire/wire-standing.js';
import type { Plan, Ticket } from '../../plan/ticket.js';
import type { Gathered } from '../gathered.js';
import type { ReportModel, ReportQuirk } from '../report-format.js';

/** What a quirk does to the user's client libraries; null where that was not measured. */
export type ClientEffectsOf = (
  quirk: string,
) => { readonly breaks: readonly string[]; readonly reads: readonly string[] } | null;

/** The quirks of every model, model by model: those that showed, and accepted ones that could have shown. */
export function reportWire(
  { acceptedWire, tickets }: Pick<Plan, 'acceptedWire' | 'tickets'>,
  models: readonly ReportModel[],
  { wire }: Pick<Gathered, 'wire'>,
  clientEffects: ClientEffectsOf | null = null,
): ReportQuirk[] {
  const covered = new Set(coveredCells(tickets).map(({ key }) => key));
  return models.flatMap(({ id, standing }) => {
    const tally = wire?.get(id);
    if (tally === undefined) return [];
    const accepted = standing === 'known' ? (acceptedWire.get(id) ?? null) : null;
    return quirkStandings(tally, accepted).map((found) => {
      // The answers of cells that no baseline covers may always have had it.
      const isUnseen = found.standing === 'new' && !found.cells.some((key) => covered.has(key));
      return {
        model: id,
        ...found,
        ...clientEffects?.(found.quirk),
        ...(isUnseen && { standing: 'as_expected' }),
      };
    });
  });
}

const coveredCells = (tickets: readonly Ticket[]): readonly Ticket['cell'][] =>
  tickets.filter(({ expected }) => expected.kind !== 'new').map(({ cell }) => cell);
