import type { AcceptedWire, Expected } from '../baseline/entries.js';
import type { ModelConfig } from '../config/config.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Probe, TrialsSpec } from '../suite/probe.js';
import type { Point } from '../cell/cell-key.js';
import type { JudgedVerdict } from '../cell/verdict.js';

/** One probe at one point on one model: what gets a verdict. */
export interface Cell {
  /** `SUITE/PROBE[axis=label,...]@TARGET/MODEL` */
  readonly key: string;
  readonly probe: Probe;
  readonly point: Point;
  readonly model: ModelConfig;
  readonly capability: string;
  /** Keys of the cells of the same model that must pass first. */
  readonly needs: readonly string[];
  /** Chosen by the filters, and not only needed by another cell. */
  readonly selected: boolean;
  /** Why its needs can never be met with this config: the cell is blocked without being asked; null: they can. */
  readonly unmeetable: string | null;
}

/** How many requests a trial of the cell sends at the same moment. */
export const requestsAtOnce = ({ probe, point }: Pick<Cell, 'probe' | 'point'>): number =>
  probe.load.length === 0 ? 1 : Number(point['load'] ?? 1);

export type RunProfile = 'smoke' | 'standard' | 'certify';

/** How a verdict is reached: src/decide/courses. */
export type CourseName = 'fixed' | 'sequential' | 'find' | 'enforce';

/** A cell, what is expected of it, and how to ask it. */
export interface PlannedCell {
  readonly cell: Cell;
  readonly expected: Expected;
  readonly course: CourseName;
  readonly trials: TrialsSpec;
  /** A doubt about what is known of it is asked on (not in `smoke`, not with `--trials`). */
  readonly confirm: boolean;
}

/** The verdict that is expected of it; a new cell is expected to pass. */
export const expectedVerdict = ({ expected }: Pick<PlannedCell, 'expected'>): JudgedVerdict =>
  expected.kind === 'entry' ? expected.entry.verdict : 'pass';

/** Whether its trials make up a pass rate: those of thresholds and enforcement are compared by rules of their own. */
export const hasRate = ({ course }: Pick<PlannedCell, 'course'>): boolean =>
  course === 'fixed' || course === 'sequential';

/** A planned cell that is only asked if the findings leave a question that it can answer. */
export interface Reserve {
  readonly planned: PlannedCell;
  readonly settles:
    | {
        /** The cell shows which labels the failures of its own probe depend on. */
        readonly kind: 'condition';
        /** Most planned cells of this probe for this model, in all. */
        readonly most: number;
      }
    | {
        /** The cell shows which keyword of a composite document changed. */
        readonly kind: 'composite';
        /** Key of the composite's cell. */
        readonly cell: string;
      };
}

/** The cells of an earlier run that deviated, did not pass or could not be measured. */
export interface LeftOpen {
  /** Id of that run. */
  readonly run: string;
  /** Its folder as a command takes it; absent in journals of earlier versions. */
  readonly folder?: string;
  /** Keys of its cells. */
  readonly cells: readonly string[];
  /**
   * Keys of cells that it asked of its own accord, to explain others: they are asked again only where a doubt is left.
   */
  readonly inDoubt: readonly string[];
  /** Models of which more answers failed than single cells prove: all their cells together settle it. Absent: none. */
  readonly shared?: readonly string[];
}

/** The plan holds only what an earlier run left open, and what that needs. */
export interface LastFailed extends LeftOpen {
  /** Cells of the whole plan, without any filter. */
  readonly of: number;
  /** The cells that other filters leave out: the next such run asks them. */
  readonly leftOut: readonly string[];
}

/** A setting that the config does not define for a model, and the probes that therefore have no such cells for it. */
export interface AbsentSetting {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** The name under `settings`. */
  readonly settings: string;
  /** `SUITE/PROBE` */
  readonly probes: readonly string[];
}

export interface Plan {
  readonly cells: readonly PlannedCell[];
  readonly reserve: readonly Reserve[];
  /** Settings that the selected probes would vary if the config defined them. */
  readonly absent: readonly AbsentSetting[];
  /** Over config, suites and options: two runs with the same digest send the same requests. */
  readonly digest: string;
  readonly digests: { readonly config: string; readonly suites: string; readonly schemas: string };
  readonly profile: RunProfile;
  readonly seed: number;
  /** By `TARGET/MODEL`: the accepted quirks of the models whose wire the baseline knows. */
  readonly acceptedWire: ReadonlyMap<string, AcceptedWire>;
  /** Keys of the models that the baseline names; any other is new. */
  readonly knownModels: ReadonlySet<string>;
  /** Cells planned before any shard was cut, for the alarm threshold. */
  readonly plannedCells: number;
  /** Absent: whatever the filters let through. */
  readonly lastFailed?: LastFailed;
}

/** One trial's question. `patch` is merged over the body last; `sample` numbers the trials of this kind and patch. */
export interface Ask {
  readonly kind: 'trial' | 'valid' | 'invalid' | 'free' | 'loose';
  readonly patch: JsonObject;
  readonly sample: number;
}

/** One request to send, and its purpose in the trial. */
export interface Send {
  readonly purpose: 'probe' | 'control' | 'retry';
  /** Id of the flow's step. */
  readonly step: string;
  /** From 0; counts the retries of faults. */
  readonly attempt: number;
  readonly body: Json;
  /** Sent when the model's other trials have ended, or wait like this one. Absent: in its turn. */
  readonly afterOthers?: boolean;
}
