import type { JsonObject } from '../../json/json.js';
import { userError } from '../../files/problems/problem.js';
import type { AnswerContext } from '../answers/thinking.js';
import { conditionsMet } from '../profiles/fault-conditions.js';
import { faultProblem } from '../profiles/load-profiles.js';
import type { Do, When } from '../profiles/profile.js';

/** The conditions of a profile's faults, and the model. */
export interface Match extends When {
  /** One of these models; default: every model. */
  readonly model?: string | readonly string[];
}

interface Override {
  readonly match: Match;
  readonly what: Do;
  readonly label: string;
  left: number;
}

/** Changes to single requests, from the tests of a client. */
export function createOverrides() {
  let overrides: readonly Override[] = [];
  let made = 0;
  return {
    /**
     * Adds an action for the requests that match, before any fault of their model's profile and for so many of them;
     * returns how to take it back. Throws a UserError for conditions and actions that the language of profiles does not
     * have.
     */
    add: ({ model, ...when }: Match, what: Do, times: number): (() => void) => {
      const problem = faultProblem({ when: when as JsonObject, do: what as JsonObject });
      if (problem !== undefined) throw userError(problem.message, problem.hint);
      const match = { ...when, ...(model !== undefined && { model }) };
      const override: Override = { match, what, label: `override ${(made += 1)}`, left: times };
      overrides = [...overrides, override];
      return () => {
        overrides = overrides.filter((other) => other !== override);
      };
    },
    /** The actions for this request; counts it. The earliest override comes first. */
    doFor: (context: AnswerContext): readonly Do[] => {
      const met = overrides.filter(({ match, label }) => matchesOverride(match, context, label));
      const first = met.find(({ left }) => left !== Infinity);
      const taken = met.filter((override) => override.left === Infinity || override === first);
      for (const override of taken) override.left -= 1;
      overrides = overrides.filter(({ left }) => left > 0);
      return taken.map(({ what }) => what);
    },
    clear: (): void => {
      overrides = [];
    },
  };
}

function matchesOverride({ model, ...when }: Match, context: AnswerContext, label: string): boolean {
  if (model !== undefined && ![model].flat().includes(context.request.model)) return false;
  return conditionsMet(when, context, label);
}
