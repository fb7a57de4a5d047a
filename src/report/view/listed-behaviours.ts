import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import type { PastOf } from '../history/past.js';
import type { Since } from '../history/since.js';

/** A model-dependent behaviour, and the models that show it today. */
export interface BehaviourRow {
  readonly id: string;
  /** "The object form of tool_choice is answered with HTTP 500, although the string values work." */
  readonly holds: string;
  readonly models: readonly {
    readonly model: string;
    /** Since which run every run shows it; null: history is not known. */
    readonly since: Since | null;
    readonly cells: readonly string[];
    /** What numbers and settings say of this model. */
    readonly title: string;
  }[];
  /** What to do about it; null where no model shows it. */
  readonly advice: string | null;
}

/**
 * The behaviours that the service's specification lists. Their ids are fixed; contract and documentation name them. A suite
 * can add others.
 */
const listed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'object-tool-choice-http-500':
      'The object form of tool_choice is answered with HTTP 500, although the string values work.',
    'object-tool-choice-thinking-400':
      'The object form of tool_choice is answered with HTTP 400 because the model is thinking, although required works.',
    'response-format-empty-or-unparseable':
      'response_format gives 200 and stop with content that is empty or no JSON, whatever the cap, while tool arguments work.',
    'json-schema-only': 'json_schema works; json_object and tools do not.',
    'json-schema-needs-max-tokens':
      'json_schema needs more max_tokens than its answer is long, because reasoning takes tokens.',
    'strict-intermittent-on-conflict':
      'If the prompt conflicts with the schema, strict output breaks the schema now and then, with 200 and stop.',
    'json-word-required': 'response_format is refused or answered in prose unless the messages contain the word json.',
  }),
);

/** The rows of the specification, in its order and also where no model shows one; then those of other suites. */
export function listedBehaviours({ behaviours }: Pick<Report, 'behaviours'>, past: PastOf | null): BehaviourRow[] {
  const shown = groupBy(behaviours, ({ id }) => id);
  const others = [...shown.keys()].filter((id) => !listed.has(id));
  return [...listed.keys(), ...others].map((id) => {
    const group = shown.get(id) ?? [];
    return {
      id,
      holds: listed.get(id) ?? group[0]?.title ?? '',
      models: group.map(({ model, title, cells }) => ({
        ...{ model, title, cells },
        since: past?.behaviourSince(id, model) ?? null,
      })),
      advice: group[0]?.advice ?? null,
    };
  });
}
