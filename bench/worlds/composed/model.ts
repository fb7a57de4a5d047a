/**
 * A model of the world: what it does is known, because it is made from this description. Nothing here may come from
 * `src`: the truth must not be worked out by the code that is tested against it.
 */
export interface WorldModel {
  readonly id: string;
  /** Strike independently of each other; a request passes if none does. */
  readonly modes: readonly FailureMode[];
  /** Whether a request without a thinking setting makes it think. */
  readonly thinksByDefault: boolean;
}

/** One way in which a model fails, under one set of circumstances. A threshold is a mode with `below`. */
export interface FailureMode {
  readonly when: Circumstances;
  /** Share of the trials in which it strikes: 1 is always. */
  readonly rate: number;
  readonly kind: FailureKind;
}

/** Every member that is given must hold. An interaction of two axes is a mode with two members. */
export interface Circumstances {
  readonly form?: readonly Form[];
  readonly stream?: boolean;
  /** Whether the request makes the model think. */
  readonly thinking?: boolean;
  readonly tool_choice?: readonly ToolChoice[];
  /** `max_tokens` is less than this. */
  readonly below?: number;
  /** `max_tokens` is at least this, or left out. */
  readonly from?: number;
  /** The prompt holds this text: some samples fail, others do not. */
  readonly prompt?: string;
}

export type Form = 'text' | 'json_object' | 'json_schema' | 'tools';
export type ToolChoice = 'absent' | 'none' | 'auto' | 'required' | 'object';

/** What of a request decides how the model answers it. Read from the body, so that any suite can be scored. */
export interface Situation {
  readonly form: Form;
  readonly stream: boolean;
  readonly thinking: boolean;
  readonly tool_choice: ToolChoice;
  readonly max_tokens: number | null;
  readonly prompt: string;
}

export type FailureKind =
  | 'http_500'
  | 'http_400'
  | 'empty'
  | 'truncated'
  | 'prose'
  | 'fenced'
  | 'missing_member'
  | 'wrong_type'
  | 'wrong_value'
  | 'no_call'
  | 'call_as_text'
  | 'wrong_function';

/** The true share of trials that pass. */
export function passRate({ modes }: WorldModel, situation: Situation): number {
  return modes.filter(({ when }) => holds(when, situation)).reduce((rate, mode) => rate * (1 - mode.rate), 1);
}

/** Whether a mode can strike in this situation. */
export function holds(when: Circumstances, situation: Situation): boolean {
  const { form, stream, thinking, tool_choice, below, from, prompt } = when;
  const cap = situation.max_tokens ?? Infinity;
  return (
    (form?.includes(situation.form) ?? true) &&
    (stream ?? situation.stream) === situation.stream &&
    (thinking ?? situation.thinking) === situation.thinking &&
    (tool_choice?.includes(situation.tool_choice) ?? true) &&
    (below === undefined || cap < below) &&
    (from === undefined || cap >= from) &&
    situation.prompt.includes(prompt ?? '')
  );
}
