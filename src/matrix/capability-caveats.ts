import type { Ticket } from '../plan/ticket.js';
import type { Capability } from './capabilities.js';
import { failureCaveats } from './failed-requests-text.js';
import type { Gathered } from './gathered.js';
import { sentBy } from './recommendations/evidence.js';
import type { ReportCapability } from './report-format.js';

/**
 * Of a capability that can be relied on: that requests of its form fail now and then.
 * @param tickets of its model
 */
export function capabilityCaveats(
  { model, capability, verdict }: Capability,
  tickets: readonly Ticket[],
  { failed }: Gathered,
): Pick<ReportCapability, 'caveats'> {
  const ofModel = failed?.get(model);
  if (ofModel === undefined || (verdict !== 'pass' && verdict !== 'partial')) return {};
  const caveats = failureCaveats(ofModel, streamingOf(tickets.filter(({ cell }) => cell.capability === capability)));
  return caveats.length === 0 ? {} : { caveats };
}

/** null: some of these requests are streamed and some are not. */
function streamingOf(tickets: readonly Ticket[]): boolean | null {
  const streaming = new Set(tickets.map((ticket) => sentBy(ticket).labels['stream'] === 'true'));
  return streaming.size === 1 ? ([...streaming][0] ?? null) : null;
}
