import { isObject, type Json } from '../json/json.js';
import type { Difference, ShapeChange } from './compare-shapes.js';
import type { RequestShape } from './shape-of.js';
import { type SaidByRun, saidLines } from './said-by-run.js';

/** What a place means to somebody who writes the application; the first pattern that fits counts. */
const meanings: readonly (readonly [place: RegExp, meaning: string])[] = [
  [/^body\/tool_choice/, 'which tool has to be called'],
  [/^body\/response_format\/json_schema\/strict$/, 'strict structured output'],
  [/^body\/response_format\/json_schema\/schema/, 'the schema of the structured output'],
  [/^body\/response_format/, 'the form of the answer'],
  [/^body\/tools\/\d+\/function\/strict$/, 'strict tool arguments'],
  [/^body\/tools\/\d+\/function\/parameters/, "the schema of a tool's arguments"],
  [/^body\/(?:tools|functions)/, 'the tools'],
  [/^body\/(?:max_tokens|max_completion_tokens)$/, 'the limit of output tokens'],
  [/^body\/stream/, 'streaming'],
  [/^body\/messages/, 'the messages'],
  [/^body\/(?:thinking|reasoning)/, 'thinking'],
  [/^headers\//, 'a header'],
];

/** A change for somebody who has not seen the lock file: which call, what changed, and on the wire; then what a run says. */
export function changeText(change: ShapeChange, said: SaidByRun | null): string {
  const lines = [headOf(change), ...(change.kind === 'changed' ? change.differences.flatMap(differenceLines) : [])];
  return [...lines, ...(said === null ? [] : saidLines(said))].join('\n');
}

function headOf(change: ShapeChange): string {
  switch (change.kind) {
    case 'library':
      return change.was === undefined
        ? `library  ${change.name}: ${change.before ?? 'not told before'} -> ${change.after ?? 'not told any more'}`
        : `library  ${change.was} ${change.before ?? ''} -> ${change.name} ${change.after ?? ''}`;
    case 'changed':
      return `changed  ${callText(change.after)}`;
    case 'appeared':
      return `new      ${callText(change.after)}`;
    case 'vanished':
      return `gone     ${callText(change.before)}`;
  }
}

const callText = ({ request, call }: RequestShape): string => `${request}: ${call}`;

function differenceLines({ at, before, after }: Difference): string[] {
  const meaning =
    meanings.find(([place]) => place.test(at))?.[1] ?? (at.startsWith('body/') ? 'a field' : 'the request');
  const place = at.replace(/^body\//, '').replaceAll('/', '.');
  if (before === undefined) return [`  + ${meaning}: ${place} is new: ${valueText(after)}`];
  if (after === undefined) return [`  - ${meaning}: ${place} is not sent any more (was ${valueText(before)})`];
  return [`  ~ ${meaning}: ${place}: ${valueText(before)} -> ${valueText(after)}`];
}

/** Longer values are cut; the lock file has them whole. */
const longest = 160;

function valueText(value: Json | undefined): string {
  // The name of a type stands in the place of a value.
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kind = isObject(value) ? 'an object ' : '';
  return text.length > longest ? `${kind}${text.slice(0, longest)}...` : `${kind}${text}`;
}
