import type { ReportCell } from '../../../../src/matrix/report-format.js';
import type { Night } from '../run-world.js';
import { passRate, type Enforcement, type WorldModel } from '../model.js';
import { type Mistake, type Scorer, scoreOf } from './score.js';

type Map = Enforcement['how'] | 'enforced';

/**
 * What is said of a keyword in a channel must be true; `unclear` says nothing, so it is only counted. A cell whose form
 * fails whatever the keyword shows how the form fails, and no truth about the keyword contradicts it.
 */
export const enforcement: Scorer = (night) => {
  const cases = casesOf(night);
  const unclear = cases.filter(({ cell }) => cell.enforcement === 'unclear').length;
  const score = scoreOf('enforcement', cases, mistakeIn);
  return { ...score, figures: { 'keywords that stay unclear': { count: unclear, of: cases.length } } };
};

interface Case {
  readonly cell: ReportCell;
  readonly model: WorldModel;
  readonly truth: Map;
}

function casesOf({ models, plan, report, trials }: Night): readonly Case[] {
  const byId = new Map(models.map((model) => [`world/${model.id}`, model]));
  const tickets = new Map(plan.tickets.map((ticket) => [ticket.cell.key, ticket]));
  return report.cells.flatMap((cell) => {
    const spec = tickets.get(cell.key)?.cell.probe.enforce ?? null;
    const model = byId.get(cell.model);
    const asked = (trials.get(cell.key) ?? []).flat();
    const isFree = asked.every(({ situation }) => model !== undefined && passRate(model, situation) > 0);
    if (spec === null || model === undefined || cell.enforcement === null || !isFree) return [];
    const listed = model.enforcement.find(
      ({ channel, keyword }) => channel === cell.point['channel'] && keyword === spec.keyword,
    );
    return [{ cell, model, truth: listed?.how ?? 'enforced' }];
  });
}

function mistakeIn({ cell, model, truth }: Case): Mistake | null {
  if (cell.enforcement === truth || cell.enforcement === 'unclear') return null;
  const { passed, total } = cell.trials;
  const said = `${cell.enforcement} (${passed} of ${total} kept it): ${cell.detail ?? ''}`;
  return { at: cell.key, said, truth: `${truth}; without a schema the model ${model.habit}` };
}
