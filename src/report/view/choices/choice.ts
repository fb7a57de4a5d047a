import type { ReportLatency } from '../../../matrix/report-format.js';
import type { SnippetRequest } from './snippet.js';

/** A need, and the models that were seen to serve it. */
export interface ChoiceRow {
  /** "structured", "stream.chat", "thinking.disabled" */
  readonly id: string;
  /** "Fixed fields (a schema)" */
  readonly title: string;
  /** In the order of the models. */
  readonly choices: readonly Choice[];
  /** Models on which nothing serves it that could be relied on. */
  readonly without: readonly NoChoice[];
  /** All other models of the run: those that are gone, did not answer, or of which nothing was judged that serves it. */
  readonly unmeasured: readonly NoChoice[];
}

export interface NoChoice {
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly because: string;
}

/** A model that serves a need, and how. */
export interface Choice {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** Without the target, if all models share one. */
  readonly name: string;
  /** The capability id of the form. */
  readonly form: string;
  /** "max_tokens=2048", one for each setting. */
  readonly settings: readonly string[];
  /** What the client must know or do besides, the gravest first. */
  readonly caveats: readonly string[];
  /** The sentence that gives the reason; null where the cells say it all. */
  readonly because: string | null;
  /** Of what was judged with these settings; null where nothing was. */
  readonly rate: ChoiceRate | null;
  /** Of answers of this kind in trials that passed; null where none was measured. */
  readonly latency: ReportLatency | null;
  /** What the snippets send; null in reports of older versions, which do not say what the settings stand for. */
  readonly request: SnippetRequest | null;
}

export interface ChoiceRate {
  readonly passed: number;
  readonly total: number;
  readonly cells: number;
  /** Wilson, 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** "12 of 12 trials passed (76 to 100 %) in 3 cells" */
  readonly text: string;
}
