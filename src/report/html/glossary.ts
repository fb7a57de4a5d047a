import { outcomeProse } from '../../judge/outcome-prose.js';
import { outcomeClasses, type Rung } from '../../judge/outcome.js';

/** What every judged trial of a cell has reached at least. */
const levels: Readonly<Record<Rung, string>> = {
  accepted: 'the service answered 2xx',
  complete: 'the output was not cut or filtered',
  present: 'there is content, or a call',
  parses: 'it is JSON, where JSON was asked for',
  conforms: 'it conforms to the schema',
  correct: 'the values are right',
};

export const glossary = {
  /** In the order in which a client checks. */
  classes: outcomeClasses.map((name) => ({ name, meaning: outcomeProse[name].explanation })),
  rungs: Object.entries(levels).map(([name, meaning]) => ({ name, meaning })),
} as const;
