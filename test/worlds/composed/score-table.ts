import { markdownTable } from '../print-table.js';
import type { Score } from './score/score.js';

/** The scores of one seed. */
export interface SeedScores {
  readonly seed: number;
  readonly scores: readonly Score[];
}

export const tableHead = ['subject', 'judged', 'wrong', 'right', 'worst seed'] as const;
const figureHead = ['on average', 'found', 'at most'] as const;

/** A Markdown table of what was right over all seeds, and one of the averages. */
export function scoreTable(seeds: readonly SeedScores[]): string {
  const subjects = [...new Set(seeds.flatMap(({ scores }) => scores.map(({ subject }) => subject)))];
  const rows = subjects.map((subject) => subjectRow(subject, seeds)).filter((row) => row !== null);
  const names = new Set(seeds.flatMap(({ scores }) => scores.flatMap(({ figures }) => Object.keys(figures ?? {}))));
  const figures = [...names].map((name) => figureRow(name, seeds));
  return [markdownTable(tableHead, rows), ...(figures.length > 0 ? [markdownTable(figureHead, figures)] : [])].join(
    '\n\n',
  );
}

function subjectRow(subject: string, seeds: readonly SeedScores[]): readonly string[] | null {
  const found = seeds.flatMap(({ seed, scores }) =>
    scores.filter((score) => score.subject === subject).map((score) => ({ seed, ...score })),
  );
  const right = sumOf(found, (score) => score.right);
  const wrong = sumOf(found, (score) => score.wrong);
  if (right + wrong === 0) return null;
  const worst = found.reduce((most, score) => (score.wrong > most.wrong ? score : most));
  const share = `${((100 * right) / (right + wrong)).toFixed(2)} %`;
  return [subject, count(right + wrong), count(wrong), share, wrong === 0 ? '-' : `${worst.wrong} (${worst.seed})`];
}

function figureRow(name: string, seeds: readonly SeedScores[]): readonly string[] {
  const found = seeds.flatMap(({ scores }) => scores.flatMap(({ figures }) => figures?.[name] ?? []));
  const average =
    sumOf(found, ({ sum }) => sum) /
    Math.max(
      1,
      sumOf(found, (figure) => figure.of),
    );
  return [name, average.toFixed(1), String(found[0]?.most)];
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

const count = (number: number): string => number.toLocaleString('en-US');
