import { requestKind } from '../../chat/request-kind.js';
import type { Json } from '../../json/json.js';
import { assemble, firstAsk } from '../../plan/request/request-body.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Answered } from './sample.js';

/** Failures of this many trials show that a cell fails like others whose cause is certain. */
export const enoughAlike = 3;

/** What the cells of a run have proved to fail in the same way, so that the others need not prove it again. */
export interface CertainCauses {
  readonly add: (ticket: Ticket, answers: readonly Answered[]) => void;
  readonly explain: (ticket: Ticket, answers: readonly Answered[]) => boolean;
}

export function certainCauses(): CertainCauses {
  const certain = new Set<string>();
  return {
    add(ticket, answers) {
      const cause = causeOf(ticket, answers);
      if (cause !== null) certain.add(cause);
    },
    explain(ticket, answers) {
      const cause = answers.length < enoughAlike ? null : causeOf(ticket, answers);
      return cause !== null && certain.has(cause);
    },
  };
}

/** null: some trials passed, or they failed in several ways. */
function causeOf(ticket: Ticket, answers: readonly Answered[]): string | null {
  const causes = new Set(answers.map(({ outcome }) => (outcome.passed ? null : nameOfCause(ticket, outcome))));
  const [cause = null] = causes;
  return causes.size === 1 ? cause : null;
}

/** By model, form of the request, class and reason. */
export function nameOfCause({ cell }: Ticket, { class: outcome, reason }: Pick<Outcome, 'class' | 'reason'>): string {
  return JSON.stringify([cell.model.key, formOf(cell), outcome, reason]);
}

const forms = new WeakMap<Ticket['cell'], Json>();

function formOf(cell: Ticket['cell']): Json {
  const known = forms.get(cell);
  if (known !== undefined) return known;
  const kind = cell.probe.enforce === null ? 'trial' : 'valid';
  const step = firstAsk(cell.probe)?.id ?? 'request';
  const { format, choice } = requestKind(assemble(cell, { kind, patch: {} }, step));
  const form = [format, choice];
  forms.set(cell, form);
  return form;
}
