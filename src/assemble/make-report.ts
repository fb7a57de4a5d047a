import { dirname } from 'node:path';
import type { ClientEffects } from '../chat/client-harm.js';
import { effectsOn } from '../clients/client-effects.js';
import { clientsIn, clientsMeant, clientTable } from '../clients/client-table.js';
import { librariesIn } from '../clients/project/project-libraries.js';
import type { Config } from '../config/config.js';
import { exchangesIn, type FindExchanges } from '../journal/journal.js';
import type { Masker } from '../masking/masker.js';
import { assembleReport as reportOf, type ReportInput } from '../matrix/build-report.js';
import type { Report } from '../matrix/report-format.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aFlag, aMap, aText, aWhole, anObject, anyValue, orNull, required, listOfTexts } from '../options/kinds.js';
import { maskedExchanges } from '../report/evidence/evidence-bundle.js';
import type { Gathering } from '../report/gather/gather.js';
import type { RenderContext } from '../report/render.js';
import { readReport } from '../report/run-folder.js';
import { redactor } from '../report/safe/redact.js';
import { reportWords } from '../report/words/facts.js';
import { catalogueOf } from '../suite/read/capability-catalogue.js';
import type { Project } from './project.js';

export interface MakeReportOptions extends Pick<ReportInput, 'plan' | 'previous'> {
  readonly project: Pick<Project, 'config' | 'suites'>;
  /** A reporter of the run that has ended. */
  readonly gathering: Pick<Gathering, 'gathered'>;
  /** ISO date; default: today, in UTC. */
  readonly today?: string;
}

const reportTable: OptionTable<MakeReportOptions> = {
  project: required(anObject),
  gathering: required(anObject),
  plan: required(anObject),
  today: aText,
  previous: orNull(anObject),
};

/** The report of what was gathered of a run. */
export const buildReport = (input: ReportInput): Promise<Report> => reportOf(input, reportWords);

/** The report of a run that has ended, or was interrupted. */
export async function makeReport(options: MakeReportOptions): Promise<Report> {
  checkOptions('`makeReport`', options, reportTable);
  const { project, gathering, today = isoDay(), ...run } = options;
  return buildReport({
    ...run,
    config: project.config,
    gathered: gathering.gathered(),
    today,
    behaviours: project.suites.flatMap((suite) => suite.behaviours),
    clientEffects: clientEffectsFor(project.config),
    catalogue: await catalogueOf(project.suites),
    suites: project.suites,
  });
}

export interface RenderOptions extends Partial<
  Pick<RenderContext, 'cellTimes' | 'failures' | 'folder' | 'color' | 'columns' | 'exit' | 'history'>
> {
  /** Regular expressions of what must not be shown, besides the built-in ones; usually the config's `redact`. */
  readonly redact?: readonly string[];
  /** Finds the keys in use, which are masked in whatever spelling; a journal may be older than a rule of masking. */
  readonly keys?: Masker;
  /** Names of targets and models, which stay readable even where they look like a key. */
  readonly names?: readonly string[];
  /** Where the journal is; without one, reports show no exchanges. */
  readonly journalFolder?: string;
}

const renderTable: OptionTable<RenderOptions> = {
  redact: listOfTexts,
  keys: anObject,
  names: listOfTexts,
  journalFolder: aText,
  cellTimes: aMap,
  failures: anyValue,
  folder: orNull(aText),
  color: aFlag,
  columns: aWhole(1),
  exit: anObject,
  history: orNull(anObject),
};

/** Everything that renderers need beside the report. By default: no failures, no colour, 80 columns. */
export function renderContext(options: RenderOptions = {}): RenderContext {
  checkOptions('`renderContext`', options, renderTable);
  const {
    redact = [],
    keys,
    names = [],
    journalFolder,
    failures = [],
    folder = null,
    color = false,
    columns = 80,
  } = options;
  const { cellTimes, exit, history } = options;
  const masked = (find: FindExchanges) => (keys === undefined ? find : maskedExchanges(find, keys));
  return {
    redact: redactor(redact, keys, names),
    exchanges: masked(journalFolder === undefined ? noExchanges : exchangesIn(journalFolder)),
    earlier: (of) => ({ report: () => readReport(of), exchanges: masked(exchangesIn(of)) }),
    ...(cellTimes && { cellTimes }),
    failures,
    folder,
    color,
    columns,
    ...(exit && { exit }),
    ...(history && { history }),
  };
}

const noExchanges: FindExchanges = async function* () {
  yield* await Promise.resolve([]);
};

function isoDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Effects of quirks on the clients that a config names, or that the files of the project beside it name; null without
 * any.
 */
function clientEffectsFor({
  file,
  clients: names,
}: Pick<Config, 'file' | 'clients'>): ((quirk: string) => ClientEffects | null) | null {
  if (names?.length === 0) return null;
  const table = clientTable();
  const libraries = librariesIn(dirname(file));
  const clients = names?.flatMap((name) => clientsMeant(table, name, libraries)) ?? clientsIn(table, libraries);
  return clients.length === 0 ? null : effectsOn(table, [...new Set(clients)]);
}
