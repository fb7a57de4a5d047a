import type { PromptTokensChange } from '../../journal/event.js';
import type { PromptTokensVary } from '../../matrix/standing/prompt-tokens.js';
import type { ReportModel } from '../../matrix/report-format.js';

/** What the services count otherwise now: "demo/x counts 1.4 times as many prompt tokens for the same requests ..." */
export function promptTokensNews({
  id,
  prompt_tokens_change: change,
  prompt_tokens_vary: vary,
}: ReportModel): string[] {
  return [
    ...(change === undefined ? [] : [`${id} ${changeText(change)}`]),
    ...(vary === undefined ? [] : [`${id} ${varyText(vary)}`]),
  ];
}

function changeText({ of, requests, before, now, since, example, at }: PromptTokensChange): string {
  const which = requests === of ? 'the same requests' : `${requests} of ${of} requests that are the same`;
  const shown = `${tokens(example.before)} then and ${tokens(example.now)} now for ${placeOf(example.cell)}`;
  const seen = at === undefined ? '' : `, as seen first in the run of ${at.slice(0, 10)}`;
  return `counts ${howMany(now / before)} prompt tokens for ${which}${than(now / before)} in the run of ${since.slice(0, 10)} (${shown})${seen}: its template, its tokenizer or its billing has changed`;
}

/** A smaller share is told as a direction. */
const leastShare = 0.1;

const isRatio = (factor: number): boolean => Math.abs(factor - 1) >= leastShare;

function howMany(factor: number): string {
  if (!isRatio(factor)) return factor > 1 ? 'more' : 'fewer';
  return factor > 1
    ? `${factor.toFixed(1)} times as many`
    : `only ${factor.toFixed(factor < 0.1 ? 2 : 1)} times as many`;
}

const than = (factor: number): string => (isRatio(factor) ? ' as' : ' than');

function varyText({ of, requests, example }: PromptTokensVary): string {
  const counts = example.counts.map(tokens).join(' and ');
  const which = requests === of ? 'identical requests' : `${requests} of ${of} identical requests`;
  return `counts different numbers of prompt tokens for ${which} (${counts} for ${placeOf(example.cell)}): what answers for it differs in template, tokenizer or billing`;
}

const placeOf = (cell: string | null): string => cell ?? 'the plain request that comes first';

const tokens = (count: number): string => count.toLocaleString('en');
