import type { Ticket } from '../plan/ticket.js';
import type { Capability } from './capabilities.js';
import { failureCaveats } from './failed-requests-text.js';
import type { Gathered } from './gathered.js';
import { sentBy } from './recommendations/evidence.js';
import type { ReportCapability } from './report-format.js';
import { sentAgainCaveats, sentAgainOf } from './sent-again.js';
import type { SharedFailure } from '../decide/shared-failure.js';
import { sharedCaveats } from './shared-failures-text.js';

/**
 * Of a capability that can be relied on: that requests of its form fail now and then.
 * @param tickets of its model
 * @param shared what answers of its model fail with, whatever the form
 */
export function capabilityCaveats(
  { model, capability, verdict }: Capability,
  tickets: readonly Ticket[],
  { failed, cells }: Pick<Gathered, 'failed' | 'cells'>,
  shared: readonly SharedFailure[],
): Pick<ReportCapability, 'caveats'> {
  if (verdict !== 'pass' && verdict !== 'partial') return {};
  const own = tickets.filter(({ cell }) => cell.capability === capability);
  const caveats = [
    ...sentAgainCaveats(
      own.map(({ cell: { key } }) => ({
        ...(cells.get(key)?.finding?.trials ?? none),
        ...sentAgainOf(key, { cells }),
      })),
    ),
    ...failureCaveats(failed?.get(model), streamingOf(own)),
    ...sharedCaveats(shared),
  ];
  return caveats.length === 0 ? {} : { caveats };
}

const none = { passed: 0, total: 0 };

/** null: some of these requests are streamed and some are not. */
function streamingOf(tickets: readonly Ticket[]): boolean | null {
  const streaming = new Set(tickets.map((ticket) => sentBy(ticket).labels['stream'] === 'true'));
  return streaming.size === 1 ? ([...streaming][0] ?? null) : null;
}
