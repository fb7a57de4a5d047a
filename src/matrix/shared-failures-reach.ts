import type { SharedFailure } from '../decide/shared-failure.js';
import { groupBy } from '../json/group-by.js';
import { hasRate, type Ticket } from '../plan/ticket.js';
import { type Count, sumOf } from '../stats/count.js';
import { chanceOfAsMany } from '../stats/rule-of-succession.js';
import { unlikely } from '../stats/unlikely.js';
import { trialsWithShared } from './first-trials.js';
import { kindNamed, sentBy, shapeSent } from './recommendations/evidence.js';
import type { ReportCell, ReportModel } from './report-format.js';

/** Which requests a failure meets that the cells of a model share. */
export interface SharedReach {
  readonly failure: SharedFailure;
  /** Requests that it would have met as well by now, and did not: "streamed requests". */
  readonly spared: readonly string[];
  /** It was seen with several forms of request, and spares none. */
  readonly isOfAnyForm: boolean;
  /** Whether requests of the cell with this key may fail so. */
  readonly meets: (key: string) => boolean;
}

const named: ReadonlyMap<string, string> = new Map([
  ['plain text', 'requests for plain text'],
  ['json_schema', 'requests with json_schema'],
  ['json_object', 'requests with json_object'],
  ['a request with tools', 'requests with tools'],
]);

interface Asked {
  readonly kinds: readonly string[];
  readonly form: string | null;
  readonly failed: number;
  readonly trials: Count;
}

/** What each shared failure meets, by `TARGET/MODEL`; of a model that has none: nothing. */
export function sharedReaches(
  models: readonly ReportModel[],
  cells: readonly ReportCell[],
  tickets: readonly Ticket[],
): ReadonlyMap<string, readonly SharedReach[]> {
  const spoilt = models.filter(({ shared_failures: found = [] }) => found.length > 0);
  if (spoilt.length === 0) return new Map();
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const cellsOf = groupBy(cells, ({ model }) => model);
  return new Map(
    spoilt.map(({ id, shared_failures: found = [] }) => {
      const own = cellsOf.get(id) ?? [];
      return [id, found.map((failure) => reachOf(failure, own, (key) => byKey.get(key)))];
    }),
  );
}

function reachOf(
  failure: SharedFailure,
  cells: readonly ReportCell[],
  ticketOf: (key: string) => Ticket | undefined,
): SharedReach {
  const asked = cells.flatMap((cell) => askedIn(cell, failure, ticketOf(cell.key)) ?? []);
  const kinds = [...new Set(asked.flatMap((one) => one.kinds))];
  const spared = kinds.filter((kind) => isSpared(kind, asked, kinds.length));
  const forms = groupBy(
    asked.filter(({ failed }) => failed > 0),
    ({ form }) => form,
  );
  return {
    ...{ failure, spared, isOfAnyForm: spared.length === 0 && forms.size > 1 },
    meets: (key) => {
      const ticket = ticketOf(key);
      return ticket !== undefined && !kindsOf(ticket).some((kind) => spared.includes(kind));
    },
  };
}

/** null: its trials were not compared with earlier ones. */
function askedIn(cell: ReportCell, failure: SharedFailure, ticket: Ticket | undefined): Asked | null {
  if (ticket === undefined || cell.expected === null || !hasRate(ticket)) return null;
  const trials = trialsWithShared(cell, failure);
  return { kinds: kindsOf(ticket), form: formOf(ticket), failed: trials.total - trials.passed, trials };
}

function kindsOf(ticket: Ticket): readonly string[] {
  const form = formOf(ticket);
  const { stream } = sentBy(ticket).labels;
  const streaming =
    stream === undefined ? [] : [stream === 'true' ? 'streamed requests' : 'requests without streaming'];
  return [...(form === null ? [] : [form]), ...streaming];
}

function formOf(ticket: Ticket): string | null {
  const shape = shapeSent(ticket);
  return shape === null ? null : (named.get(kindNamed(shape)) ?? null);
}

/** So many requests of a kind pass that it cannot be luck, if the others tell how often the failure comes. */
function isSpared(kind: string, asked: readonly Asked[], looks: number): boolean {
  const own = asked.filter(({ kinds }) => kinds.includes(kind));
  const others = asked.filter((one) => !own.includes(one));
  if (own.some(({ failed }) => failed > 0)) return false;
  const [held, known] = [own, others].map((some) => sumOf(some.map(({ trials }) => trials)));
  return held !== undefined && known !== undefined && chanceOfAsMany(held, known) * looks <= unlikely;
}
