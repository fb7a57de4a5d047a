import { quirkTable } from '../../chat/quirks.js';
import { enforcements, type Enforcement, type Standing } from '../../cell/verdict.js';
import { outcomeClasses, outcomeProse } from '../../judge/outcome-classes.js';
import { type Rung, rungs } from '../../judge/outcome.js';
import { reasonProse, reasons } from '../../judge/reasons.js';
import { shownVerdicts, verdictMarks } from './phrases.js';

/** The words of one kind that reports use, and what each means. */
export interface GlossarySection {
  readonly id: string;
  readonly title: string;
  readonly words: readonly { readonly name: string; readonly meaning: string; readonly advice: string | null }[];
}

/** The levels that every judged trial of a cell reached. */
const levels: Readonly<Record<Rung, string>> = {
  accepted: 'the service answered 2xx',
  complete: 'the output was neither cut nor filtered',
  present: 'there is content or a call',
  parses: 'it is JSON, if JSON was asked for',
  conforms: 'it conforms to the schema',
  correct: 'the values are right',
};

const standingMeans: Readonly<Record<NonNullable<Standing>, string>> = {
  as_expected: 'the baseline expects this result',
  regression: 'the baseline expects it to pass, and it does not',
  changed: 'it fails as the baseline expects, but in another way',
  improvement: 'the baseline expects it not to pass, and it does',
  new: 'the baseline does not cover it',
};

const enforcementMeans: Readonly<Record<Enforcement, string>> = {
  enforced: 'replies keep to the keyword although the model would break it',
  ignored: 'the keyword is accepted, and replies break it',
  refused: 'the service takes no schema with this keyword',
  broken: 'under a schema with this keyword, replies that it allows do not come',
  unclear: 'the replies do not tell',
};

/** Generated from the tables behind the judgements, so that no word of a report is missing. */
export function glossary(): readonly GlossarySection[] {
  const plain = ([name, meaning]: readonly [string, string]) => ({ name, meaning, advice: null });
  return [
    {
      ...{ id: 'verdicts', title: 'Verdicts' },
      words: shownVerdicts.map((name) => plain([name, `${verdictMarks[name].glyph} ${verdictMarks[name].title}`])),
    },
    {
      ...{ id: 'classes', title: 'Outcome classes, in the order in which a client checks' },
      words: outcomeClasses.map((name) => {
        const { explanation, advice } = outcomeProse[name];
        return { name, meaning: explanation, advice };
      }),
    },
    {
      ...{ id: 'reasons', title: 'Reasons of an error' },
      words: reasons.map((name) => {
        const { explanation, advice } = reasonProse[name];
        return { name, meaning: explanation, advice };
      }),
    },
    {
      ...{ id: 'levels', title: 'Levels that every judged trial of a cell reached' },
      words: rungs.map((name) => plain([name, levels[name]])),
    },
    { ...{ id: 'standings', title: 'Against the baseline' }, words: Object.entries(standingMeans).map(plain) },
    {
      ...{ id: 'enforcement', title: 'How a service treats a schema keyword' },
      words: enforcements.map((name) => plain([name, enforcementMeans[name]])),
    },
    {
      ...{ id: 'quirks', title: 'Quirks: answers that are tolerated but odd' },
      words: Object.entries(quirkTable).map(([name, { means, breaks }]) => ({
        ...{ name, meaning: means, advice: `Breaks: ${breaks}.` },
      })),
    },
  ];
}
