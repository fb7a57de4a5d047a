/**
 * Reads conditions by the grammar of docs/reports.md, from their text alone: no code of `src` may help, or a text that
 * misleads would be read as it was meant.
 */

/** One label of each axis. */
type Labels = Readonly<Record<string, string>>;
type Test = (labels: Labels) => boolean;

const name = '[A-Za-z0-9._+-]+';
const listed = new RegExp(`^(${name})(?:=(${name})|: (${name}(?:, ${name})+))$`);
const bound = new RegExp(String.raw`^(${name}) (>=|<=) (-?\d+(?:\.\d+)?)$`);

/** Whether a point passes by this text; null: the text is not of the grammar. */
export function readCondition(text: string): Test | null {
  const together = /^not with (.+) and (.+) together$/.exec(text);
  if (together !== null) {
    const [first, second] = [statement(together[1] ?? '', false), statement(together[2] ?? '', false)];
    return first && second && ((labels) => !(first(labels) && second(labels)));
  }
  const parts = text.split(' and ').map(part);
  return parts.includes(null) ? null : (labels) => parts.every((one) => one?.(labels) === true);
}

function part(text: string): Test | null {
  const [, how, rest = ''] = /^(only|not) with (.+)$/.exec(text) ?? [];
  if (how === 'only') return statement(rest, false);
  if (how === undefined) return bound.test(text) ? statement(text, true) : null;
  const excluded = statement(rest, false);
  return excluded && ((labels) => !excluded(labels));
}

/** @param without what it says of a point without the axis */
function statement(text: string, without: boolean): Test | null {
  const [, axis = '', one, several = ''] = listed.exec(text) ?? [];
  if (axis !== '') {
    const wanted = one === undefined ? several.split(', ') : [one];
    return ({ [axis]: label }) => (label === undefined ? without : wanted.includes(label));
  }
  const [, of = '', sign, number] = bound.exec(text) ?? [];
  if (of === '') return null;
  return ({ [of]: label }) => {
    if (label === undefined) return without;
    return sign === '>=' ? Number(label) >= Number(number) : Number(label) <= Number(number);
  };
}
