import type { CapabilityEntry, CapabilityMap, Evidence, NeedEntry } from '../../capabilities/load-capabilities.js';
import { isAskedWith } from '../../matrix/advice.js';
import { isJudged } from '../../cell/verdict.js';
import { digest } from '../../json/digest.js';
import { groupBy } from '../../json/group-by.js';
import type {
  CapabilityVerdict,
  Recommendation,
  Report,
  ReportCapability,
  ReportCell,
} from '../../matrix/report-format.js';
import { fewCaveats } from '../../matrix/recommendations/caveats.js';
import { safeJsonText } from '../safe/escape.js';
import { reportWords } from '../words/facts.js';
import { sumOf, wilson, type Count } from '../../stats/count.js';

/** For how many days evidence counts, unless somebody says otherwise. */
const usualDays = 30;

/** capabilities.json. It holds names, ids, counts and sentences of chatspec, and no text of a service. */
export function renderCapabilities(report: Report): Promise<string> {
  return Promise.resolve(`${safeJsonText(capabilityMapOf(report))}\n`);
}

const day = 24 * 60 * 60 * 1000;

/**
 * Capabilities that applications may rely on, with the evidence.
 * @param days for how long, from {@link evidenceDate} on
 */
export function capabilityMapOf(report: Report, days: number = usualDays): CapabilityMap {
  const { id, profile, tool } = report.run;
  const complete = report.run.complete && report.run.last_failed === undefined;
  const byKey = new Map(report.cells.map((cell) => [cell.key, cell]));
  const cellsOf = ({ cells }: Pick<ReportCapability, 'cells'>) => cells.flatMap((key) => byKey.get(key) ?? []);
  const date = evidenceDate(report.run);
  const dates = { date, expires: new Date(Date.parse(date) + days * day).toISOString() };
  const ofModel = groupBy(report.capabilities, ({ model }) => model);
  return {
    format: 'chatspec-capabilities/1',
    run: { id, profile, complete, tool },
    models: report.models.map((model) => ({
      id: model.id,
      model: model.model,
      as: model.as,
      reachable: model.reachable,
    })),
    needs: report.recommendations.map((one) => {
      const all = ofModel.get(one.model) ?? [];
      const own = all.find(({ capability }) => capability === one.form);
      return { ...needEntry(one, own), ...dates, ...trialEvidence((own ? [own] : all).flatMap(cellsOf), one.trials) };
    }),
    capabilities: report.capabilities.map((one) => {
      const cells = cellsOf(one);
      const trials = capabilityTrials(one, cells);
      const caveats =
        supportedBy(one) === true ? [...(one.caveats ?? []), ...fewCaveats(trials.total).map(reportWords.caveat)] : [];
      return { ...capabilityEntry(one), caveats, ...dates, ...trialEvidence(cells, trials) };
    }),
  };
}

/**
 * When the run ended; when it began, if that is more than a day earlier: it was resumed, and its first answers are as
 * old.
 */
function evidenceDate({ started_at: began, finished_at: ended }: Report['run']): string {
  return ended === null || Date.parse(ended) - Date.parse(began) > day ? began : ended;
}

type WithoutEvidence<Entry> = Omit<Entry, keyof Evidence>;

function needEntry(
  { model, need, form, settings, request = {}, caveats = [], because }: Recommendation,
  own: ReportCapability | undefined,
): WithoutEvidence<NeedEntry> {
  const condition = own?.condition ?? null;
  return { model, need, form, supported: form !== null, condition, settings, request, caveats, because };
}

function capabilityEntry(one: ReportCapability): Omit<WithoutEvidence<CapabilityEntry>, 'caveats'> {
  const { model, capability, verdict, condition, settings = {}, request = {} } = one;
  return { model, capability, verdict, supported: supportedBy(one), condition, settings, request };
}

/** A partial pass can be relied on where somebody can say which requests pass. */
function supportedBy({ verdict, settings }: ReportCapability): boolean | null {
  return verdict === 'partial' ? settings !== undefined : byVerdict[verdict];
}

const byVerdict: Readonly<Record<Exclude<CapabilityVerdict, 'partial'>, boolean | null>> = {
  pass: true,
  flaky: false,
  fail: false,
  inconclusive: null,
};

/** Where only some settings are supported, the trials with these settings speak for them. */
function capabilityTrials(one: ReportCapability, cells: readonly ReportCell[]): Count {
  const { settings = {} } = one;
  const judged = cells.filter(isJudged);
  return sumOf(
    (supportedBy(one) === true ? judged.filter((cell) => isAskedWith(settings, cell.point)) : judged).map(
      ({ trials }) => trials,
    ),
  );
}

function trialEvidence(
  cells: readonly ReportCell[],
  trials?: Count,
): Pick<Evidence, 'trials' | 'interval' | 'evidence'> {
  const { passed, total } = trials ?? sumOf(cells.filter(isJudged).map((cell) => cell.trials));
  return { trials: { passed, total }, interval: wilson(passed, total), evidence: digestOf(cells) };
}

/**
 * Names what was found and the exchanges that show it, so that one can see that a map and a run folder belong together.
 */
function digestOf(cells: readonly ReportCell[]): string {
  const said = cells.map(({ key, verdict, trials, exchanges }) => [
    key,
    verdict,
    trials.passed,
    trials.total,
    exchanges,
  ]);
  return `sha256:${digest(said)}`;
}
