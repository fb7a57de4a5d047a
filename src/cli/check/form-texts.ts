import type { CheckedForm, FormName } from './answer.js';

const names: Readonly<Record<FormName, string>> = {
  json_schema: 'json_schema',
  json_object: 'json_object, schema in the prompt',
  tools: 'tools',
};

/** `tools (tool_choice required, thinking disabled)`. */
export function formText({ form, settings }: Pick<CheckedForm, 'form' | 'settings'>): string {
  const labels = Object.entries(settings).map(([name, label]) => `${name} ${label}`);
  return labels.length === 0 ? names[form] : `${names[form]} (${labels.join(', ')})`;
}

/** `10 of 10`. */
export function countText({ trials: { passed, total } }: Pick<CheckedForm, 'trials'>): string {
  return `${passed} of ${total}`;
}

/** `72-100 %`, the Wilson interval. */
export function intervalText({ trials }: Pick<CheckedForm, 'trials'>): string {
  const [low, high] = trials.interval;
  return `${Math.round(low * 100)}-${Math.round(high * 100)} %`;
}

/** ` with max_tokens 256`; empty where the cap was not varied. */
export function capText({ max_tokens: cap }: Pick<CheckedForm, 'max_tokens'>): string {
  return cap === null ? '' : ` with max_tokens ${cap}`;
}

export function secondsText(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
