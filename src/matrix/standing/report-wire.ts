import { quirkStandings } from '../../decide/wire/wire-standing.js';
import type { ModelBefore } from '../../journal/event.js';
import type { Plan, Ticket } from '../../plan/ticket.js';
import { mostFingerprints, type Gathered } from '../gathered.js';
import type { ReportModel, ReportQuirk, ServedChange } from '../report-format.js';

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

/**
 * Names and fingerprints of which none is left from the run before. Services often alternate between a few, so that one
 * more or one less is no news; nor is a service that starts or stops to send them, or has another one for every answer.
 */
export function servedChanges(before: ModelBefore | undefined, now: ModelBefore): ServedChange[] {
  if (before === undefined) return [];
  const fields: readonly ServedChange[] = [
    { field: 'model', before: before.served, now: now.served },
    { field: 'system_fingerprint', before: before.fingerprints, now: now.fingerprints },
  ];
  const isVersioned = ({ field, ...names }: ServedChange): boolean =>
    field === 'model' || Math.max(names.before.length, names.now.length) < mostFingerprints;
  return fields
    .filter(isVersioned)
    .filter((one) => one.before.length > 0 && one.now.length > 0 && !one.now.some((name) => one.before.includes(name)));
}
