import { isObject, type Json, parsedJson, writtenJson, pointerSteps } from '../../json/json.js';

/** A line of an answer that breaks a rule, from 0, and what is wrong there. */
export type LineMark = readonly [line: number, message: string];

interface MarkedAnswer {
  /** With a member a line where it is JSON, else as it came. */
  readonly text: string;
  readonly marks: readonly LineMark[];
}

/** Lays an answer out in lines, and says which of them violate what was asked for. */
export function markedAnswer(
  answer: string,
  violations: readonly { readonly at: string; readonly message: string }[],
): MarkedAnswer {
  const value = jsonIn(answer);
  if (value === undefined) return { text: answer, marks: [] };
  // A rule has a name in place of a pointer, and is about the whole answer.
  const stepsTo = (at: string): readonly string[] => (at.startsWith('/') ? pointerSteps(at) : []);
  const marks = violations.map(({ at, message }): LineMark => [lineAt(value, stepsTo(at)), message]);
  return { text: writtenJson(value, 2), marks };
}

/** Only what is JSON as it stands: a code fence is part of what is wrong. */
function jsonIn(answer: string): Json | undefined {
  if (!/^\s*[[{]/.test(answer)) return undefined;
  try {
    return parsedJson(answer) as Json;
  } catch {
    return undefined;
  }
}

const childrenOf = (value: Json): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value)) return value.map((child: Json, index) => [String(index), child] as const);
  return isObject(value) ? Object.entries(value) : [];
};

/** How many lines a value takes with a member a line. */
function lineCount(value: Json): number {
  const children = childrenOf(value);
  return children.length === 0 ? 1 : 2 + children.reduce((sum, [, child]) => sum + lineCount(child), 0);
}

/** The line of a place; of one that is missing, the line of what should hold it. */
function lineAt(value: Json, [step, ...rest]: readonly string[]): number {
  const children = childrenOf(value);
  const index = children.findIndex(([name]) => name === step);
  const child = children[index];
  if (child === undefined) return 0;
  const before = children.slice(0, index).reduce((sum, [, one]) => sum + lineCount(one), 0);
  return 1 + before + lineAt(child[1], rest);
}
