import type { DoubtRun, WayCounts } from '../baseline/entries.js';
import type { ClientHarm } from '../chat/client-harm.js';
import type { SharedFailure, Finding } from '../decide/course.js';
import type { ModelConfig } from '../config/config.js';
import type { Count } from '../stats/count.js';
import type { Point } from '../cell/cell-key.js';
import type { JudgedVerdict, Standing } from '../cell/verdict.js';
import type { JsonObject } from '../json/json.js';
import type { RecordedMemory, Stop } from '../journal/event.js';
import type { QuirkStanding } from '../decide/wire/wire-standing.js';
import type { AbsentSetting } from '../plan/plan.js';
import type { AnsweredBy, ServedBy, ServedChange } from './served-by.js';
import type { NeedName } from '../suite/suite-file.js';
import type { Clue } from '../judge/clue.js';
import type { OutcomeClass } from '../judge/outcome.js';

/** `partial`: some of its cells pass and some fail. */
export type CapabilityVerdict = JudgedVerdict | 'partial' | 'inconclusive';

/** How a request asks, whatever a suite calls it. */
export interface RequestForm {
  readonly form: 'tools' | 'json_schema' | 'json_object' | 'text';
  /** The word of `tool_choice`, `object` where it is one; null: no tools. */
  readonly choice: string | null;
  readonly stream: boolean;
}

/** The content of report.json: the public format `chatspec-report/1`. */
export interface Report {
  readonly format: 'chatspec-report/1';
  readonly run: ReportRun;
  readonly models: readonly ReportModel[];
  readonly cells: readonly ReportCell[];
  readonly capabilities: readonly ReportCapability[];
  /** The families of the capabilities, in the order in which reports show them. */
  readonly families: readonly string[];
  /** The columns of the overview: families that serve one need, in order. */
  readonly columns: readonly { readonly id: string; readonly title: string; readonly families: readonly string[] }[];
  /** Names from the suites, in plain words. */
  readonly titles: ReportTitles;
  readonly behaviours: readonly ReportBehaviour[];
  readonly recommendations: readonly Recommendation[];
  /** The quirks of every model; absent in reports of older versions. */
  readonly wire?: readonly ReportQuirk[];
  /** How long answers took, by model and kind of request; absent in reports of older versions. */
  readonly latency?: readonly ReportLatency[];
  /** Requests and their cost, by model and capability; absent in reports of older versions. */
  readonly spend?: readonly ReportSpend[];
  /** Knowledge of cells and models that this run did not ask; the next run gets it. */
  readonly remembered?: RecordedMemory;
}

/** By id: of what has a title that differs from its id. */
export interface ReportTitles {
  readonly families: Readonly<Record<string, string>>;
  readonly capabilities: Readonly<Record<string, string>>;
}

export interface ReportRun {
  readonly id: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly complete: boolean;
  readonly profile: string;
  readonly seed: number;
  readonly tool: { readonly name: string; readonly version: string };
  /** `--config` as it was given; absent for chatspec.yaml. */
  readonly config?: string;
  /** The options that left out cells (`models`, `suites`, `only`, `skip`, `tags`), as given; absent: none did. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly digests: { readonly config: string; readonly suites: string; readonly schemas: string };
  readonly requests: number;
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly reasoning_tokens: number;
    /** Of the prompts, what the service had read before, as its usage tells; absent: none of it tells. */
    readonly cached_tokens?: number;
    readonly total_tokens: number;
  };
  /** In the currency of the configured prices; null when no price is configured. */
  readonly cost: number | null;
  /** A part of a run, which `chatspec merge` joins with the others; absent: it is whole. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Only what an earlier run left open was asked; absent: whatever the filters let through. */
  readonly last_failed?: {
    /** Id of the earlier run. */
    readonly run: string;
    /** Cells of the whole plan, without any filter. */
    readonly of: number;
    /** Cells that it left open and that other filters left out. */
    readonly left_out: readonly string[];
  };
  /** Notes on the run, such as why it stopped early or which behaviours could not be evaluated. */
  readonly notes: readonly string[];
  /** Stops before everything was asked, with their reasons, as data. */
  readonly stops: readonly Stop[];
}

export interface ReportModel {
  readonly id: string;
  readonly target: string;
  readonly model: string;
  readonly as: string | null;
  readonly reachable: boolean;
  readonly standing: 'known' | 'new' | 'gone';
  /** The day announced for its removal has come. */
  readonly retired: boolean;
  /** `model` fields of the answers, in order of first appearance. */
  readonly served: readonly string[];
  /** `system_fingerprint` fields of the answers; absent in reports of older versions. */
  readonly fingerprints?: readonly string[];
  /** Names and fingerprints of which none is left from the run before; absent: there are none. */
  readonly served_changes?: readonly ServedChange[];
  /** Whose name its answers carry, where it is another's or more than one; absent: its own. */
  readonly answered_by?: AnsweredBy;
  /** Why the control failed, when the model is not reachable. */
  readonly unreachable:
    ({ readonly class: OutcomeClass; readonly clue?: Clue } & Pick<Finding, 'reason' | 'status' | 'detail'>) | null;
  /** How a client reaches the model; absent in reports of older versions. */
  readonly client?: ModelClient;
  /** Failures that more of its answers show than earlier ones explain; absent: there are none. */
  readonly shared_failures?: readonly SharedFailure[];
  /** Probes without cells for this model, because the config does not define the setting; absent if there are none. */
  readonly not_asked?: readonly Pick<AbsentSetting, 'settings' | 'probes'>[];
}

/** Needs of a client besides the model's id: no key, only the name of the variable that holds it. */
export interface ModelClient {
  /** null: the embedded service, whose port differs from run to run. */
  readonly base_url: string | null;
  readonly api_key_env: string | null;
  /** Setting to label to merge patch over the body; null: nothing is sent. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;
}

/** How long the answers of a model to one kind of request took, and how many tokens they are. */
export interface AnswerTimes {
  /** The form that was asked for; `thinking.LABEL`: all answers of cells with this label, whatever their form. */
  readonly kind: 'text' | 'json_schema' | 'json_object' | 'tools' | `thinking.${string}`;
  /** null: streamed or not. */
  readonly stream: boolean | null;
  readonly answers: number;
  /** Milliseconds until the answer's headers; null where none of the answers tells. */
  readonly headers_ms: Quantiles | null;
  /** Milliseconds until the first text, thought or call of a stream; null where none of the answers tells. */
  readonly first_content_ms: Quantiles | null;
  /** Milliseconds until the end of the answer. */
  readonly total_ms: Quantiles | null;
  /** Tokens of the answer by its seconds, the time until the first included; null without usage. */
  readonly tokens_per_second: Quantiles | null;
  /** The mean of the answers that report their usage; null: none does. */
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly reasoning: number } | null;
}

/** Median and 95th percentile, within 1 %. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

/** How long the answers of a model to one kind of request took, how many tokens they are, and what one costs. */
export interface ReportLatency extends AnswerTimes {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** The mean, in the currency of the configured prices; null where no price is configured, or no usage is known. */
  readonly cost: number | null;
  /** The configured one, per million tokens; absent: there is none, or the report is of an older version. */
  readonly price?: NonNullable<ModelConfig['price']>;
}

/** Cost of a model's requests for a capability: trials, their retries and their controls. */
export interface ReportSpend {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** null: for no cell, such as the opening control. */
  readonly capability: string | null;
  readonly requests: number;
  readonly usage: ReportRun['usage'];
  /** In the currency of the configured prices; null where the model has none. */
  readonly cost: number | null;
}

/** A quirk of a model: how often it showed, and what the baseline says of it. */
export interface ReportQuirk extends QuirkStanding {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** Harm to the user's client libraries; absent where it is not known. */
  readonly harms?: readonly ClientHarm[];
  /** The user's client libraries that read it; absent where what they make of it is not known. */
  readonly reads?: readonly string[];
}

export interface ReportCell extends Omit<Finding, 'trials' | 'needed' | 'law' | 'first' | 'doubtOutcome'> {
  readonly key: string;
  readonly model: string;
  readonly suite: string;
  readonly probe: string;
  readonly title: string;
  readonly point: Point;
  readonly capability: string;
  /** The form in which its first request asks; absent in reports of older versions. */
  readonly sent?: RequestForm;
  readonly trials: Finding['trials'] &
    Pick<Finding, 'needed'> & {
      /** Planned trials that were not asked because the run, its target or its model stopped; absent: none. */
      readonly missing?: number;
    };
  readonly standing: Standing;
  /**
   * In doubt: it contradicts the baseline, and its evidence is below the bound, so that it is shown and raises no
   * alarm.
   */
  readonly unsettled: boolean;
  /**
   * The run asked it of its own accord: to find a condition, or as a part of a composite document; absent: it was
   * planned.
   */
  readonly asked_for?: 'condition' | 'composite';
  /** The cell that proves the failures of this one, which are the same; absent: it speaks for itself. */
  readonly same_cause_as?: string;
  /** A failure that many cells of its model share, and that makes it a regression; absent: the cell alone shows it. */
  readonly shared?: Omit<SharedFailure, 'cells' | 'alarm'>;
  /**
   * Of a flaky cell whose failures follow who answered: who, and how often it passed there; absent: they follow nobody.
   */
  readonly served_by?: ServedBy;
  /** Known trials, doubt, and the conclusion from both; null: nothing is known, as of a new cell. */
  readonly evidence: ReportEvidence | null;
  /** Expectation of the baseline; null when the cell is not covered. */
  readonly expected: ExpectedCell | null;
  /** The needs of a failing or flaky cell that pass only sometimes; absent if there are none. */
  readonly flaky_needs?: FlakyNeeds;
  /** Every kind of failure that came, the most frequent first; `failures.jsonl` has all failing trials. */
  readonly failures: readonly CellFailure[];
  /** Ids of exchanges in the journal. */
  readonly exchanges: readonly string[];
}

/** Share of a failure that is due to needs that pass only sometimes. */
export interface FlakyNeeds {
  /** Keys of these needs, also of the needs of needs. */
  readonly cells: readonly string[];
  /** The failures may be those of a need: they are of the same kind, and no more frequent than chance allows. */
  readonly explain: boolean;
}

/** Knowledge of the law of evidence about a cell after a run. */
export interface ReportEvidence {
  /** Accepted trials, and those of later runs that were in order: `[passed, total]`. */
  readonly known: readonly [passed: number, total: number];
  /** How many of the known trials failed in each way; absent: none did, or nobody counted. */
  readonly ways?: WayCounts;
  /** The trials that contradict it, run by run, the oldest first; empty: nothing is in doubt. */
  readonly doubt: readonly ReportDoubtRun[];
  /** Evidence that it has changed: it exceeds `bound` with a probability of at most 1 in `bound` if it has not. */
  readonly changed: number;
  /** Likewise, that it passes less than 95 times in 100; 1 where it is not expected to pass. */
  readonly holds: number;
  /** 20 times the planned cells. */
  readonly bound: number;
  /** An alarm that is not over: when it is, only the trials that show so become known. Absent: there is none. */
  readonly alarmed?: true;
  /** A cell accepted as passing that does not hold, which is shown until it is accepted. Absent: it holds. */
  readonly unreliable?: true;
  /**
   * Of a cell that passes at times: the last of its known runs, which the next run weighs again; absent: there are
   * none.
   */
  readonly weighed_again?: readonly ReportDoubtRun[];
}

export interface ReportDoubtRun extends DoubtRun {
  /** Id of the run. */
  readonly run: string;
}

/** Expectation of the baseline for a cell; class, reason and status are null where it is expected to pass. */
export interface ExpectedCell extends Pick<Finding, 'class' | 'reason' | 'status'> {
  readonly verdict: JudgedVerdict;
  readonly passed: number | null;
  readonly total: number | null;
  /** How often it was seen to fail in each way, where there is more than one; absent: in one. */
  readonly ways?: WayCounts;
  /** From how many trials the cell was known when it was accepted; absent: the baseline does not say. */
  readonly trials?: number;
  /** When it was accepted; null where it is expected to pass. */
  readonly date: string | null;
  readonly note: string | null;
  readonly link: string | null;
  readonly threshold: number | null;
}

/** Failing trials of one class, reason and status: how many, and the first of them, with what support asks for. */
export interface CellFailure extends Pick<Finding, 'class' | 'reason' | 'status' | 'detail'> {
  /** Failing trials of this kind; absent in reports of older versions, which have an entry a trial. */
  readonly count?: number;
  /** How far the answer got; absent in reports of older versions. */
  readonly rung?: Finding['rung'];
  /** The flow's step that decided. */
  readonly step: string | null;
  /** A code that tells failures of one class apart: how a text is no JSON, or the keyword that is violated first. */
  readonly flaw?: string;
  /** Further findings in the answer, from which an advice follows; absent: none. */
  readonly clue?: Clue;
  readonly violations: readonly { readonly at: string; readonly message: string }[];
  /** The exchange that failed. */
  readonly exchange: string | null;
  readonly exchanges: readonly string[];
  readonly traceresponse: string | null;
  /** `id` of the response, otherwise its `request_id`. */
  readonly response_id: string | null;
}

export interface ReportCapability {
  readonly model: string;
  readonly capability: string;
  readonly verdict: CapabilityVerdict;
  /** "max_tokens >= 1280", "only with thinking=disabled"; null where none is needed or none is known. */
  readonly condition: string | null;
  /** Settings of a request that meets the condition, by name; absent where no setting meets it. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Of what passes: the settings as members of a request body, with what the config sends in any case; absent: none.
   */
  readonly request?: JsonObject;
  /** The largest share of a prompt that an answer says was cached; absent: none says it. */
  readonly cached_share?: number;
  /** Caveats for a client that no verdict says; absent: none. */
  readonly caveats?: readonly string[];
  readonly cells: readonly string[];
}

export interface ReportBehaviour {
  readonly id: string;
  readonly model: string;
  readonly title: string;
  readonly cells: readonly string[];
  readonly advice: string;
}

export interface Recommendation {
  readonly model: string;
  readonly need: NeedName;
  /** Capability id of the form to use; null: none can be relied on. */
  readonly form: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /**
   * The settings as members of a request body, with what the config sends to the model in any case; empty where the
   * settings are kept by sending nothing; absent: there are none, and nothing is sent.
   */
  readonly request?: JsonObject;
  /** Names of the settings without which requests were seen to fail; absent in reports of older versions. */
  readonly conditions?: readonly string[];
  /**
   * The judged trials behind it that were asked with these settings, or with a larger cap: those of this run, and what
   * is known of the cells from earlier ones. Absent where there is no form, and in reports of older versions.
   */
  readonly trials?: Count & { readonly cells: number };
  /** Caveats for the client beside the settings; absent in reports of older versions. */
  readonly caveats?: readonly string[];
  readonly because: string;
  /** The forms that would have come first, as they were tried; absent in reports of older versions. */
  readonly rejected?: readonly (Count & { readonly form: string })[];
  /** Lines that the config needs: every request of these forms was refused for want of them. Absent: none. */
  readonly mend?: Clue;
  readonly alternatives: readonly string[];
}
