/**
 * Whether a regular expression provably takes time linear in the text. The engine backtracks, so what counts is how many
 * steps it can be made to try: a choice (an alternation, or a quantifier that may take more or less) multiplies the steps
 * of what follows, and an unbounded quantifier multiplies them by the length of the text. Whatever is not understood
 * (look-around, backreferences, unusual syntax) counts as not linear.
 */
export function isLinearPattern(source: string): boolean {
  const cost = costOf(source);
  if (cost === null) return false;
  const { constant, each } = cost.steps;
  // Without an anchor the pattern is tried again from every letter, so each attempt must be bounded by a constant.
  return cost.anchored ? constant <= mostSteps && each <= mostStepsEach : constant <= mostStepsEach && each === 0;
}

const mostSteps = 1_000_000;
/** For each letter of the text. */
const mostStepsEach = 200;
const deepestGroup = 50;

/** A number that depends on the length n of the text: constant + each * n. */
interface Linear {
  readonly constant: number;
  readonly each: number;
}

/** What it costs to try a part of a pattern. */
interface Cost {
  /** Ways in which it can match, each of which is followed by another attempt at the rest. */
  readonly ways: Linear;
  readonly steps: Linear;
  /** Whether a match can only begin where the text begins. */
  readonly anchored: boolean;
}

const one: Linear = { constant: 1, each: 0 };

function plus(a: Linear, b: Linear): Linear {
  return { constant: a.constant + b.constant, each: a.each + b.each };
}

/** null for a product that is more than linear. */
function times(a: Linear, b: Linear): Linear | null {
  if (a.each > 0 && b.each > 0) return null;
  return { constant: a.constant * b.constant, each: a.constant * b.each + a.each * b.constant };
}

const group = String.raw`(?<group>\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?)))`;
const anchor = String.raw`(?<anchor>\^)`;
const border = String.raw`(?<border>\$|\\[bB])`;
const escape = String.raw`\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[\w=]+\}|[dDwWsSfnrtv0]|[^\dA-Za-z])`;
const letter = String.raw`\[(?:[^\]\\]|\\[\s\S])*\]|${escape}|[^\\^$.*+?()[\]{}|]|\.`;
const partPattern = new RegExp(`${group}|${anchor}|${border}|${letter}`, 'y');
const quantifierPattern = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** null where the pattern contains something that is not understood or takes more than linear time. */
function costOf(source: string): Cost | null {
  let at = 0;
  const cost = alternatives(0);
  return at === source.length ? cost : null;

  function read(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  }

  function alternatives(depth: number): Cost | null {
    let whole = sequence(depth);
    while (whole !== null && source[at] === '|') {
      at++;
      const other = sequence(depth);
      whole = other === null ? null : eitherOf(whole, other);
    }
    return whole;
  }

  function sequence(depth: number): Cost | null {
    let whole: Cost = { ways: one, steps: one, anchored: false };
    for (let first = true; at < source.length && source[at] !== '|' && source[at] !== ')'; first = false) {
      const next = quantified(depth);
      const ways = next === null ? null : times(whole.ways, next.ways);
      const steps = next === null ? null : times(whole.ways, next.steps);
      if (next === null || ways === null || steps === null) return null;
      whole = { ways, steps: plus(whole.steps, steps), anchored: first ? next.anchored : whole.anchored };
    }
    return whole;
  }

  function quantified(depth: number): Cost | null {
    const found = read(partPattern)?.groups;
    if (found === undefined) return null;
    let part: Cost | null = { ways: one, steps: one, anchored: found['anchor'] !== undefined };
    if (found['group'] !== undefined) {
      part = depth < deepestGroup ? alternatives(depth + 1) : null;
      if (part === null || source[at] !== ')') return null;
      at++;
    }
    const often = read(quantifierPattern);
    if (often === null) return part;
    const isBorder = found['anchor'] !== undefined || found['border'] !== undefined;
    return isBorder ? null : repeated(part, ...timesOf(often));
  }
}

function eitherOf(a: Cost, b: Cost): Cost {
  return { ways: plus(a.ways, b.ways), steps: plus(a.steps, b.steps), anchored: a.anchored && b.anchored };
}

function timesOf([sign, least, open, most]: RegExpExecArray): [least: number, most: number] {
  if (least !== undefined) {
    return [Number(least), open === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  }
  return [sign.startsWith('+') ? 1 : 0, sign.startsWith('?') ? 1 : Infinity];
}

function repeated({ ways, steps, anchored }: Cost, least: number, most: number): Cost | null {
  if (ways.each > 0 || steps.each > 0) return null;
  if (most === Infinity) {
    // With more than one way to match, the ways would multiply with every round.
    if (ways.constant > 1) return null;
    return { ways: { constant: 1, each: 1 }, steps: { constant: 1, each: steps.constant }, anchored: false };
  }
  const many = ways.constant ** most;
  return {
    ways: { constant: (most - least + 1) * many, each: 0 },
    steps: { constant: 1 + most * many * steps.constant, each: 0 },
    anchored: anchored && least > 0,
  };
}
