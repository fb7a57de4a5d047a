import { groupBy } from '../../json/group-by.js';
import { isLoadStatus } from '../../chat/errors/load-status.js';
import { sum } from '../../stats/sum.js';
import type { Report, ReportCell, ReportModel, ReportUnmeasured } from '../report-format.js';
import { kindsTogether, type Unanswered } from './unanswered.js';

/**
 * Cells of models that answered that could not be measured, since none of their requests got a usable answer: those of each
 * model whose requests share something that no answered request of the model has, and then the rest. Cells that are
 * expected to fail are left out. Each cell is in one group.
 */
export function unmeasuredGroups(
  { models, cells }: Pick<Report, 'models' | 'cells'>,
  unanswered: ReadonlyMap<string, Unanswered> = new Map(),
): readonly ReportUnmeasured[] {
  const missed = groupBy(cells.filter(isMissed), ({ model }) => model);
  return models.flatMap((model) => {
    const seen = unanswered.get(model.id);
    const ofModel = missed.get(model.id) ?? [];
    if (seen === undefined || ofModel.length === 0 || !isAnswering(model)) return [];
    return groupsOfModel(ofModel, seen);
  });
}

const isOpen = ({ verdict, expected }: ReportCell): boolean =>
  verdict === 'inconclusive' && expected?.verdict !== 'fail';

const isMissed = (cell: ReportCell): boolean => isOpen(cell) && metOnlyFaults(cell);

/** Answers that settle nothing, such as those that are cut before they show whether a keyword is enforced, are answers. */
export function metOnlyFaults({ verdict, trials }: Pick<ReportCell, 'verdict' | 'trials'>): boolean {
  return verdict === 'inconclusive' && trials.total === 0 && trials.faults > 0;
}

const isAnswering = ({ reachable, standing }: ReportModel): boolean => reachable && standing !== 'gone';

/** A refusal for load ends by itself; a few repetitions of anything else do not happen by chance in one form alone. */
const fewestRequests = 3;

/**
 * Whether this is more than a bad moment of the service: whatever its requests share was never answered, in several
 * cells, or again and again.
 */
export function isLasting({ shared, cells, requests, kinds }: ReportUnmeasured): boolean {
  if (shared === null) return false;
  return cells.length > 1 || (requests >= fewestRequests && !kinds.some(({ status }) => isLoad(status)));
}

const isLoad = (status: number | null): boolean => status !== null && isLoadStatus(status);

function groupsOfModel(cells: readonly ReportCell[], seen: Unanswered): readonly ReportUnmeasured[] {
  const groups: ReportUnmeasured[] = [];
  // An answer that chatspec cannot judge, or refuses for its size, is no request that got none.
  let rest = cells.filter(({ key }) => seen.cells.has(key));
  for (;;) {
    const shared = mostShared(rest, seen);
    if (shared === null) break;
    const has = ({ key }: ReportCell): boolean => seen.cells.get(key)?.members.includes(shared) === true;
    groups.push(groupOf(shared, rest.filter(has), seen));
    rest = rest.filter((cell) => !has(cell));
  }
  return rest.length === 0 ? groups : [...groups, groupOf(null, rest, seen)];
}

/** What says most to people comes first. */
const order: readonly string[] = ['stream', 'tools', 'response_format', 'tool_choice'];

/** What most of the cells share and no answered request has; null: nothing. */
function mostShared(cells: readonly ReportCell[], { forms, cells: seen }: Unanswered): string | null {
  const answered = new Set(forms.flatMap((form) => (form.answered > 0 ? form.members : [])));
  const amounts = new Map<string, number>();
  for (const { key } of cells) {
    for (const member of seen.get(key)?.members ?? []) {
      if (!answered.has(member)) amounts.set(member, (amounts.get(member) ?? 0) + 1);
    }
  }
  const [first] = [...amounts].sort(
    ([a, one], [b, other]) => other - one || rankOf(a) - rankOf(b) || b.length - a.length || (a < b ? -1 : 1),
  );
  return first?.[0] ?? null;
}

function rankOf(member: string): number {
  const rank = order.indexOf(member.replace(/:.*/s, ''));
  return rank === -1 ? order.length : rank;
}

function groupOf(
  shared: string | null,
  cells: readonly ReportCell[],
  { forms, cells: seen }: Unanswered,
): ReportUnmeasured {
  const own = cells.flatMap(({ key }) => seen.get(key) ?? []);
  const alike = shared === null ? [] : forms.filter(({ members }) => members.includes(shared));
  const kinds = kindsTogether((shared === null ? own : alike).map(({ failed }) => failed));
  const others = forms.filter((form) => !alike.includes(form));
  const requests = sum(kinds.map((one) => one.requests));
  const [of, answered] = [sum(others.map((form) => form.requests)), sum(others.map((form) => form.answered))];
  const first = cells[0];
  return {
    ...{ model: first?.model ?? '', shared, cells: cells.map(({ key }) => key), requests, kinds },
    others: { answered, of: shared === null ? of - requests : of },
    detail: first?.detail ?? null,
    exchanges: own.slice(0, mostExchanges).map(({ exchange }) => exchange),
  };
}

const mostExchanges = 3;
