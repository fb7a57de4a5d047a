/** What a browser shows for the names of characters that stand in keys, and of those that are not seen. */
const byName: Readonly<Record<string, number>> = {
  ...{
    excl: 33,
    quot: 34,
    num: 35,
    dollar: 36,
    percnt: 37,
    amp: 38,
    apos: 39,
    lpar: 40,
    rpar: 41,
    ast: 42,
    midast: 42,
  },
  ...{
    plus: 43,
    comma: 44,
    period: 46,
    sol: 47,
    colon: 58,
    semi: 59,
    lt: 60,
    equals: 61,
    gt: 62,
    quest: 63,
    commat: 64,
  },
  ...{ lsqb: 91, lbrack: 91, bsol: 92, rsqb: 93, rbrack: 93, hat: 94, lowbar: 95, underbar: 95, grave: 96 },
  ...{ lcub: 123, lbrace: 123, verbar: 124, vert: 124, rcub: 125, rbrace: 125 },
  ...{ tab: 9, newline: 10, nbsp: 160, shy: 173, zerowidthspace: 8203, zwnj: 8204, zwj: 8205, lrm: 8206, rlm: 8207 },
  ...{ nobreak: 8288 },
};

/** The code of a character by its name in HTML; undefined for any other name. */
export function codeOfName(name: string): number | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(byName, lower) ? byName[lower] : undefined;
}

/** Whether a text may hold such a name. */
export const entityName = new RegExp(`&(?:${Object.keys(byName).join('|')});`, 'i');
