import type { Plan } from '../plan/ticket.js';
import type { ModelConfig } from '../config/config.js';
import type { Gathered } from './gathered.js';
import type { PreviousRun } from '../journal/previous-run.js';
import type { ReportModel } from './report-format.js';

/** The models of the plan, in its order. `today` is an ISO date. */
export function modelsOf(
  plan: Plan,
  gathered: Gathered,
  today: string,
  previous: PreviousRun | null = null,
): ReportModel[] {
  const configs = new Map(plan.tickets.map(({ cell }) => [cell.model.key, cell.model]));
  const answering = new Set(
    [...configs.values()].filter(({ key }) => gathered.models.get(key)?.reachable).map(({ target }) => target),
  );
  return [...configs.values()].map((config) => {
    const retired = config.retired !== null && config.retired <= today;
    // An id that no earlier run knew is misspelt rather than gone.
    const known = plan.knownModels.has(config.key) || (previous?.models.has(config.key) ?? false);
    const gone = isUnknown(gathered, config) && (retired || (known && answering.has(config.target)));
    const standing = gone ? 'gone' : plan.knownModels.has(config.key) ? 'known' : 'new';
    const absent = plan.absent.filter(({ model }) => model === config.key);
    const notAsked = absent.map(({ settings, label, probes }) => ({ settings, label, probes }));
    const model = modelOf(config, gathered, { standing, retired });
    return notAsked.length === 0 ? model : { ...model, not_asked: notAsked };
  });
}

/** The service says that it does not know the model; it is gone if an earlier run knew it and another
 * model answers, or if its removal was announced. */
function isUnknown(gathered: Gathered, { key }: ModelConfig): boolean {
  const seen = gathered.models.get(key);
  return seen?.reachable === false && seen.outcome?.reason === 'model_not_found';
}

function modelOf(
  { key, target, id, as }: ModelConfig,
  gathered: Gathered,
  judged: Pick<ReportModel, 'standing' | 'retired'>,
): ReportModel {
  const seen = gathered.models.get(key);
  const outcome = seen?.reachable === false ? seen.outcome : null;
  const named = { served: seen?.served ?? [], fingerprints: seen?.fingerprints ?? [] };
  return {
    ...{ id: key, target, model: id, as, ...judged },
    reachable: seen?.reachable ?? false,
    ...named,
    unreachable: outcome && {
      class: outcome.class ?? 'transport',
      reason: outcome.reason,
      status: outcome.status,
      detail: outcome.detail,
    },
  };
}
