import { cellKey } from '../../../src/cell/cell-key.js';
import { wilson } from '../../../src/stats/count.js';
import type { Report, ReportCell, ReportModel } from '../../../src/matrix/report-format.js';
import { aModel } from './config.js';
import { aProbe } from './probe.js';
import { aPlan } from './planned-cell.js';

type ReportCellChanges = Partial<Omit<ReportCell, 'trials'>> & { readonly trials?: Partial<ReportCell['trials']> };

/** A cell of a report; the key follows from suite, probe, point and model, and the trials from the verdict. */
export function aReportCell(changes: ReportCellChanges = {}): ReportCell {
  const { suite = 'suite', probe = 'probe', point = {}, model = aModel().key, verdict = 'pass' } = changes;
  const { capability, title } = aProbe(`${suite}/${probe}`);
  const usual = { pass: [1, 1], fail: [0, 1], flaky: [1, 2], inconclusive: [0, 0], blocked: [0, 0], not_run: [0, 0] };
  const [passed = 0, total = 0] = usual[verdict];
  const counted = { passed, total, ...changes.trials };
  return {
    ...{ key: cellKey(`${suite}/${probe}`, Object.entries(point), model), model, suite, probe, title, point },
    ...{ capability, verdict, class: null, reason: null, status: null, detail: null, rung: null, threshold: null },
    ...{ enforcement: null, recovery: null, quirks: [], standing: null, unsettled: false, expected: null },
    ...{ evidence: null, failures: [], exchanges: [] },
    ...changes,
    trials: { faults: 0, interval: wilson(counted.passed, counted.total), needed: 0, ...counted },
  };
}

export function aReportModel(id = aModel().key, changes: Partial<ReportModel> = {}): ReportModel {
  const model = aModel(id);
  return {
    ...{ id, target: model.target, model: model.id, as: null, reachable: true, standing: 'known', retired: false },
    ...{ served: [], unreachable: null },
    ...changes,
  };
}

/** A report of one model; `complete` is that of the run. */
export function aReport(changes: Partial<Report> & { readonly complete?: boolean } = {}): Report {
  const { complete = true, ...others } = changes;
  const families = [...new Set((others.capabilities ?? []).map(({ capability }) => capability.split('.')[0] ?? ''))];
  const { profile, seed, digests } = aPlan([]);
  return {
    format: 'chatspec-report/1',
    run: {
      ...{ id: 'r1', started_at: '2026-11-20T08:00:00.000Z', finished_at: '2026-11-20T08:01:00.000Z', complete },
      ...{
        profile,
        seed,
        digests,
        tool: { name: 'chatspec', version: '0.1.0' },
        requests: 0,
        cost: null,
        notes: [],
        stops: [],
      },
      usage: { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, total_tokens: 0 },
    },
    ...{ models: [aReportModel()], cells: [], capabilities: [], behaviours: [], recommendations: [] },
    ...{ families, columns: families.map((id) => ({ id, title: id, families: [id] })) },
    titles: { families: {}, capabilities: {} },
    ...others,
  };
}
