import { wilson } from '../../src/stats/wilson.js';
import type { Report, ReportCell, ReportModel } from '../../src/matrix/report-format.js';

/** A cell of a report; the key follows from suite, probe, point and model. */
export function reportCell(
  changes: Partial<Omit<ReportCell, 'trials'>> & { readonly trials?: Partial<ReportCell['trials']> } = {},
): ReportCell {
  const { suite = 'suite', probe = 'probe', point = {}, model = 'demo/one', verdict = 'pass' } = changes;
  const labels = Object.entries(point).map(([axis, label]) => `${axis}=${label}`);
  const usual = verdict === 'pass' ? [1, 1] : verdict === 'fail' ? [0, 1] : verdict === 'flaky' ? [1, 2] : [0, 0];
  const [passed, total] = [changes.trials?.passed ?? usual[0] ?? 0, changes.trials?.total ?? usual[1] ?? 0];
  return {
    ...{ key: `${suite}/${probe}${labels.length > 0 ? `[${labels.join(',')}]` : ''}@${model}`, model, suite, probe },
    ...{ title: 'Title', point, capability: 'chat', verdict, class: null, reason: null, status: null, detail: null },
    ...{ rung: null, threshold: null, enforcement: null, recovery: null, quirks: [], standing: null, unsettled: false },
    ...{ expected: null, surprise: null, fresh: null, failures: [], exchanges: [] },
    ...changes,
    trials: { passed, total, faults: 0, interval: wilson(passed, total), needed: 0, ...changes.trials },
  };
}

export function reportModel(id: string, changes: Partial<ReportModel> = {}): ReportModel {
  const [target = '', ...rest] = id.split('/');
  return {
    ...{ id, target, model: rest.join('/'), as: null, reachable: true, standing: 'known', retired: false },
    ...{ served: [], unreachable: null },
    ...changes,
  };
}

export function report(changes: Partial<Report> & { readonly complete?: boolean } = {}): Report {
  const { complete = true, ...further } = changes;
  return {
    format: 'chatspec-report/1',
    run: {
      ...{ id: 'r1', started_at: '2026-11-20T08:00:00.000Z', finished_at: '2026-11-20T08:01:00.000Z', complete },
      ...{ profile: 'standard', seed: 1, tool: { name: 'chatspec', version: '0.1.0' } },
      digests: { config: 'c', suites: 's', schemas: 'h' },
      ...{ requests: 0, usage: { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, total_tokens: 0 } },
      ...{ cost: null, notes: [], stops: [] },
    },
    ...{ models: [reportModel('demo/one')], cells: [], capabilities: [], behaviours: [], recommendations: [] },
    ...further,
  };
}
