/* Generated from schemas/suite.schema.json by npm run generate; do not edit. */
import type { Json, JsonObject } from '../json/json.js';
import type { ExpectSpec } from '../judge/expectation.js';
import type { OutcomeClass } from '../judge/outcome.js';
/**
 * kebab-case: lower-case letters and digits, words joined by single hyphens, such as order-tool
 */
export type Name = string;
type Body = JsonObject;
/**
 * a probe as SUITE/PROBE, such as quick-start/plain
 */
export type ProbeReference = string;
/**
 * an id: lower-case letters, digits, hyphens and underscores, beginning with a letter
 */
type StepId = string;
type Expect = ExpectSpec;
export type AxisFile = ListedAxis | SettingsAxis | PointerAxis | NamedAxis;
/**
 * Values of the body field of the axis's name; the labels are the values.
 *
 * @minItems 1
 */
type ListedAxis = (string | number | boolean | null)[];
/**
 * a JSON Pointer into the body, such as /max_tokens or /tools/0/function/name
 */
export type Pointer = string;
type TrialsFile =
  | number
  | {
      until: 'decided';
      reliable?: Rate;
      broken?: Rate;
      error?: Rate;
      /**
       * Most trials. Default: 40.
       */
      max?: number;
    };
/**
 * a rate between 0 and 1
 */
export type Rate = number;

export type NeedName = 'plain_text' | 'structured' | 'free_json' | 'tool_call';

/**
 * A chatspec suite: probes that are sent to every model, and the behaviours to recognise in the results.
 */
export interface SuiteFile {
  suite: Name;
  /**
   * What the suite is about, for reports.
   */
  title?: string;
  /**
   * Values for {{name}} in any string of request and expect (Handlebars, without escaping).
   */
  vars?: JsonObject;
  /**
   * What all probes have in common.
   */
  defaults?: {
    request?: Body;
  };
  /**
   * Probes by name, in kebab-case. A cell's key is SUITE/PROBE[axis=label,...]@TARGET/MODEL.
   */
  probes?: {
    [k: string]: ProbeFile;
  };
  /**
   * Patterns in the cells of a model that deserve a name and a piece of advice.
   */
  behaviours?: BehaviourFile[];
  /**
   * The order of this suite's capability families in reports.
   */
  families?: FamilyFile[];
  /**
   * Forms of request that serve a need, for the recommendations of reports.
   */
  forms?: FormFile[];
  /**
   * What else says something about a form of request, for the recommendations of reports.
   */
  evidence?: FormEvidenceFile[];
}
export interface ProbeFile {
  /**
   * What the probe tests, for reports.
   */
  title?: string;
  /**
   * Which capability the probe is evidence for, such as json_schema; {{axis}} gives the label. Default: SUITE.PROBE.
   */
  capability?: string;
  /**
   * For --tags, such as smoke, nightly, weekly.
   */
  tags?: Name[];
  /**
   * Probes of the same model that must pass first, as SUITE/PROBE.
   */
  needs?: ProbeReference[];
  request?: Body;
  /**
   * A flow instead of one request; later steps may use {{steps.ID.arguments.NAME}}, {{json steps.ID.result}} and the like.
   *
   * @minItems 1
   */
  steps?: StepFile[];
  /**
   * the path of a JSON Lines file (.jsonl): trial k takes row k (modulo their number) as further variables
   */
  samples?: string;
  /**
   * Axes; the cells are the product of their points.
   */
  vary?: {
    [k: string]: AxisFile;
  };
  /**
   * product: every combination of points (default). each: one axis at a time, from the first point of the others.
   */
  combine?: 'product' | 'each';
  /**
   * With combine: each: when the probe fails at one point and passes at another, at most this many further points of the product are asked, to find out which labels it depends on.
   */
  fill?: number;
  /**
   * Combinations to leave out; a point matches every cell that has all its labels.
   */
  exclude?: PointFile[];
  /**
   * Combinations to add; an axis that is not named takes its first point.
   */
  include?: PointFile[];
  /**
   * What the requests get wrong on purpose, as JSON Pointers into the body, such as /max_tokens.
   */
  deliberate?: Pointer[];
  expect?: Expect;
  /**
   * Merged over expect, in order, in the cells that have the labels of point.
   */
  when?: WhenFile[];
  trials?: TrialsFile;
  retry?: RetryFile;
  /**
   * An axis called load: one trial sends the request so many times at the same moment, each with its own row of samples, and passes when all answers pass. Faults are not repeated.
   *
   * @minItems 1
   */
  load?: number[];
  find?: FindFile;
  enforce?: EnforceFile;
}
export interface StepFile {
  id: StepId;
  request?: Body;
  expect?: Expect;
  /**
   * The client's own tool; runs only after the arguments of the preceding call were validated.
   */
  run?: {
    /**
     * What the tool returns.
     */
    result: Json;
  };
}
interface SettingsAxis {
  /**
   * Labels and body patches come from the model's settings of this name in the config.
   */
  settings: string;
}
interface PointerAxis {
  /**
   * JSON Pointer into the body, such as /chat_template_kwargs/enable_thinking.
   */
  at: string;
  /**
   * label -> value, or a list of values; null leaves the field out.
   */
  points: (string | number | boolean | null)[] | JsonObject;
}
/**
 * label -> value of the body field of the axis's name; null leaves the field out.
 */
interface NamedAxis {
  [k: string]: unknown;
}
/**
 * axis -> label
 */
export interface PointFile {
  [k: string]: string | number | boolean | null;
}
interface WhenFile {
  point: PointFile;
  expect: Expect;
}
/**
 * The client's own retry of a wrong answer, measured separately; it never turns a failed trial into a pass.
 */
export interface RetryFile {
  /**
   * After which outcomes the client asks again.
   *
   * @minItems 1
   */
  on: OutcomeClass[];
  /**
   * How often. Default: 1.
   */
  max?: number;
  /**
   * Temperature of the retry. Default: 0.
   */
  temperature?: number;
}
/**
 * Finds the smallest value at which the probe passes, or the largest.
 */
export interface FindFile {
  /**
   * A numeric field of the body (or an axis), such as max_tokens.
   */
  axis: string;
  /**
   * Smallest value.
   */
  from: number;
  /**
   * Largest value.
   */
  to: number;
  tolerance?: Rate;
  /**
   * Finds the largest value at which the probe passes. Default: false.
   */
  largest?: boolean;
  /**
   * The axis is no field, but how often these parts stand in the body.
   *
   * @minItems 1
   */
  repeat?: RepeatFile[];
}
/**
 * A part of the body that is there as often as the searched value says. {{i}} in it counts from 1.
 */
export interface RepeatFile {
  at: Pointer;
  /**
   * Of the member, where an object is repeated into.
   */
  name?: string;
  /**
   * What is repeated. The text {{inner}} in it stands for what is at the place already, so that the parts nest.
   */
  value: Json;
}
/**
 * Whether a schema is enforced: two cells, channel=response_format and channel=tools.
 */
export interface EnforceFile {
  /**
   * The keyword under test, such as enum.
   */
  keyword: string;
  /**
   * The JSON Schema.
   */
  schema: Json;
  /**
   * A document that conforms to the schema.
   */
  valid: Json;
  /**
   * A document that does not.
   */
  invalid: Json;
  /**
   * For a document that breaks several keywords: the probes of each of them, as SUITE/PROBE, asked only when the result differs from the baseline.
   */
  split?: ProbeReference[];
}
export interface BehaviourFile {
  id: Name;
  /**
   * What was found, for reports.
   */
  title: string;
  /**
   * JSONata over the cells of a model; returns the cells that show the behaviour.
   */
  when: string;
  /**
   * JSONata; if it is true, the behaviour is not reported.
   */
  unless?: string;
  /**
   * What to do about it.
   */
  advice: string;
  /**
   * Capability ids of forms that are not recommended for a model that shows the behaviour.
   */
  avoid?: string[];
}
export interface FamilyFile {
  /**
   * the part of a capability's id before the first dot, such as tool_choice
   */
  name: string;
  /**
   * Families with a lower number come first; undeclared families come last. The built-in ones count by tens.
   */
  order: number;
  /**
   * what its capabilities are about, in plain words, as reports show it beside the name
   */
  title?: string;
  /**
   * The family in whose column of the overview it is shown. Default: its own.
   */
  column?: string;
  /**
   * The same for single capabilities, by their ids, such as tool_choice.required.
   */
  titles?: {
    [k: string]: string;
  };
  /**
   * JSON Schema of the requests that can be evidence for the family's capabilities.
   */
  request?: Json;
  /**
   * The same for single capabilities, by what follows the family's name, such as required for tool_choice.required.
   */
  labels?: {
    [k: string]: Json;
  };
}
export interface FormFile {
  need: NeedName;
  /**
   * Id of the capability that measures the form, such as tool_choice.required.
   */
  capability: string;
  /**
   * Of the forms that can be relied on, the one with the lowest number is recommended. The built-in ones count by tens.
   */
  order: number;
  /**
   * What to send so that a request has this form, such as tool_choice: required.
   */
  settings?: {
    [k: string]: string;
  };
  /**
   * What the client must do itself with this form. Default: nothing beyond its usual checks.
   */
  care?: string;
  /**
   * Id of the capability that measures the form over token budgets, such as budget.tools.
   */
  budget?: string;
}
export interface FormEvidenceFile {
  /**
   * Id of the capability that measures the form.
   */
  capability: string;
  /**
   * Patterns of capabilities or cells whose requests have this form too; all that are judged must pass under what is recommended.
   */
  cells?: string[];
  /**
   * Capabilities of streamed requests, the form's own first: the first that was asked shows whether the form can be streamed.
   */
  streams?: string[];
  /**
   * Where the form puts its schema; what is known about its enforcement becomes a caveat.
   */
  channel?: 'response_format' | 'tools';
  /**
   * What to tell those who use the form when a cell of these patterns fails or is flaky.
   */
  caveats?: {
    /**
     * @minItems 1
     */
    of: string[];
    /**
     * {{how}} is replaced by flaky or fails.
     */
    say: string;
    /**
     * The ways of failing that it tells of; default: all.
     *
     * @minItems 1
     */
    class?: OutcomeClass[];
  }[];
}
