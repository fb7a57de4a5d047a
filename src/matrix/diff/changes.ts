import { harmText, type ClientHarm } from '../../chat/client-harm.js';
import { wayOf } from '../../baseline/ways-of-failing.js';
import { groupBy } from '../../json/group-by.js';
import { enoughExchanges } from '../../decide/wire/wire-standing.js';
import { type Count, sumOf } from '../../stats/count.js';
import { boundOver, evidenceOfChange, swapped } from '../../stats/evidence.js';
import type { ReportCapability, ReportCell, ReportQuirk } from '../report-format.js';
import { type JudgedCell, modelIn, type CellPair, type ReportDiff } from './report-diff.js';

type Direction = 'lost' | 'gained';
type ChangeProof = ReportDiff['lost'][number]['because'];
type WholeModelChange = ReportDiff['whole'][number];
type DiffedCondition = ReportDiff['conditions'][number];
type DiffedThreshold = ReportDiff['thresholds'][number];
type DiffedWireQuirk = ReportDiff['wire'][number];

const trialCountOf = ({ trials: { passed, total } }: Pick<ReportCell, 'trials'>): Count => ({ passed, total });
const passRate = ({ passed, total }: Count): number => passed / total;

/** A reliable cell may fail once, unless the service refuses its request. */
const failuresOfChange = ({ class: failure }: JudgedCell): number => (failure === 'http_error' ? 1 : 2);

/** The cells that changed, by the name of the pair: the base is known, the head is the doubt. */
export function changedCells(pairs: readonly CellPair[], direction: Direction): ReadonlyMap<string, ChangeProof> {
  const bound = boundOver(pairs.length);
  return new Map(
    pairs.flatMap((pair): (readonly [string, ChangeProof])[] => {
      const { name, base, head } = pair;
      const [was, is] = direction === 'lost' ? [base, head] : [head, base];
      if (was.verdict === 'pass' && is.verdict === 'fail' && is.trials.total >= failuresOfChange(is)) {
        return [[name, 'total']];
      }
      if ((direction === 'gained' && head.verdict !== 'pass') || !countSameThing(pair)) return [];
      return changeEvidence(pair, direction) >= bound ? [[name, 'rate']] : [];
    }),
  );
}

/** The cells that fail on both sides, each in ways that the other never showed. */
export function otherwiseFailing(pairs: readonly CellPair[]): ReadonlyMap<string, ChangeProof> {
  const waysOf = ({ failures }: JudgedCell): readonly string[] => failures.map((one) => wayOf(one));
  const found = pairs.filter(({ base, head }) => {
    if (base.verdict !== 'fail' || head.verdict !== 'fail') return false;
    const before = waysOf(base);
    return before.length > 0 && head.failures.length > 0 && !waysOf(head).some((way) => before.includes(way));
  });
  return new Map(found.map(({ name }) => [name, 'ways'] as const));
}

/** As log10. */
function changeEvidence({ base, head }: Pick<CellPair, 'base' | 'head'>, direction: Direction): number {
  const [known, doubt] = [trialCountOf(base), trialCountOf(head)];
  return direction === 'lost' ? evidenceOfChange(known, doubt) : evidenceOfChange(swapped(known), swapped(doubt));
}

/**
 * Whether the counts of both sides tell how often the same thing works. Those of a keyword that neither side enforces
 * do not: some replies keep to it by chance, and a refused schema gives no reply at all.
 */
function countSameThing({ base, head }: CellPair): boolean {
  const isLoose = ({ enforcement }: JudgedCell) => enforcement !== null && enforcement !== 'enforced';
  return !(isLoose(base) && isLoose(head));
}

/** The models whose cells together pass less often than before. */
export function changedModels(pairs: readonly CellPair[], lost: ReadonlySet<string>): WholeModelChange[] {
  const models = [...groupBy(pairs, ({ name }) => modelIn(name))];
  return models.flatMap(([model, all]): WholeModelChange[] => {
    const own = all.filter((pair) => pair.base.verdict === 'pass' && !lost.has(pair.name) && countSameThing(pair));
    const [base, head] = [
      sumOf(own.map((pair) => trialCountOf(pair.base))),
      sumOf(own.map((pair) => trialCountOf(pair.head))),
    ];
    const found = evidenceOfChange(base, head);
    if (found < boundOver(models.length)) return [];
    const cells = own
      .filter((pair) => passRate(trialCountOf(pair.head)) < passRate(trialCountOf(pair.base)))
      .map(({ name }) => name);
    return [{ model, base, head, evidence: found, compared: own.length, cells }];
  });
}

/**
 * The capabilities that now hold on another condition. A condition follows from single cells, so one of them that
 * failed by chance is enough to change it.
 * @param beyondLuck the cells whose own change, or that of their threshold, is more than luck
 */
export function conditionChanges(
  base: ReadonlyMap<string, ReportCapability>,
  head: ReadonlyMap<string, ReportCapability>,
  pairs: readonly CellPair[],
  beyondLuck: ReadonlySet<string>,
): DiffedCondition[] {
  return [...head].flatMap(([name, is]) => {
    const was = base.get(name);
    if (!was || was.verdict === 'inconclusive' || is.verdict === 'inconclusive' || was.condition === is.condition) {
      return [];
    }
    const shown = ({ verdict, condition }: ReportCapability) => ({ verdict, condition });
    const changed = pairs.filter(
      (pair) => pair.head.model === is.model && pair.head.capability === is.capability && hasOtherRate(pair),
    );
    // Without a changed cell, other cells were asked.
    const significant = changed.length === 0 || changed.some((pair) => beyondLuck.has(pair.name));
    return [{ model: is.model, capability: is.capability, base: shown(was), head: shown(is), significant }];
  });
}

function hasOtherRate({ base, head }: CellPair): boolean {
  if ((base.threshold?.value ?? null) !== (head.threshold?.value ?? null)) return true;
  return passRate(trialCountOf(base)) !== passRate(trialCountOf(head));
}

/**
 * The thresholds that a search found at another value: where a probe passes only sometimes, it ends at another one each
 * time.
 */
export function thresholdChanges(pairs: readonly CellPair[], lostOrGained: ReadonlySet<string>): DiffedThreshold[] {
  return pairs.flatMap(({ name, base, head }) => {
    const [was, is] = [base.threshold?.value ?? null, head.threshold?.value ?? null];
    if (was === is) return [];
    const [from, to] = [Math.min(was ?? Infinity, is ?? Infinity), Math.max(was ?? Infinity, is ?? Infinity)];
    // The trials of a search at values from the lower threshold up to, but not including, the higher one.
    const between = ({ threshold }: JudgedCell): Count =>
      sumOf(
        (threshold?.curve ?? []).filter(([x]) => x >= from && x < to).map(([, passed, total]) => ({ passed, total })),
      );
    const [lower, higher] = (was ?? Infinity) < (is ?? Infinity) ? [base, head] : [head, base];
    const [passing, failing] = [between(lower), between(higher)];
    const isTotal = passing.total > 0 && passing.passed === passing.total && failing.total > 1 && failing.passed === 0;
    return [{ cell: name, base: was, head: is, significant: isTotal || lostOrGained.has(name) }];
  });
}

/** Other pass rates that changed. */
export function rateChanges(pairs: readonly CellPair[], known: ReadonlySet<string>): ReportDiff['rates'] {
  return pairs.flatMap((pair) => {
    const [was, is] = [trialCountOf(pair.base), trialCountOf(pair.head)];
    if (known.has(pair.name) || !countSameThing(pair) || passRate(was) === passRate(is)) return [];
    const direction = passRate(is) < passRate(was) ? 'lost' : 'gained';
    return [{ cell: pair.name, base: was, head: is, evidence: changeEvidence(pair, direction) }];
  });
}

type Quirks = ReadonlyMap<string, ReportQuirk>;

/**
 * Changes of the wire per model, under the names that both sides share. A quirk that came and went on either side is no
 * change, nor is one that the other side had no occasion to show: a cell that both judged must tell them apart.
 */
export function wireChanges(base: Quirks, head: Quirks, pairs: readonly CellPair[]): DiffedWireQuirk[] {
  const swapped = pairs.map(({ name, base: before, head: after }) => ({ name, base: after, head: before }));
  return [...changesIn(head, base, pairs, 'became the rule'), ...changesIn(base, head, swapped, 'ended')];
}

/** @param pairs of which the head shows the quirk, and the base does not */
function changesIn(
  rules: Quirks,
  others: Quirks,
  pairs: readonly CellPair[],
  change: DiffedWireQuirk['change'],
): DiffedWireQuirk[] {
  return [...rules].flatMap(([name, { model, quirk, seen, of, breaks, harms, cells }]): DiffedWireQuirk[] => {
    if (seen < enoughExchanges || seen < of || (others.get(name)?.seen ?? 0) > 0) return [];
    const showing = new Set(cells);
    const telling = pairs.filter(
      ({ base, head }) => showing.has(head.key) && head.quirks.includes(quirk) && !base.quirks.includes(quirk),
    );
    if (telling.length === 0) return [];
    const worked = telling.filter(({ base }) => base.trials.passed > 0);
    const isNew = change === 'became the rule' && worked.length > 0;
    const failed = new Set(
      worked.flatMap(({ base }) => base.quirks.flatMap((one) => failing(others, base.model, one))),
    );
    const lost = isNew ? (harms ?? []).filter((one) => isCertain(one) && !failed.has(one.client)) : [];
    const loses = lost.map(harmText);
    return [{ model, quirk, change, seen, of, breaks, loses, cells: telling.map((pair) => pair.name) }];
  });
}

/** The clients that a quirk makes fail. */
function failing(quirks: Quirks, model: string, name: string): readonly string[] {
  const all = [...quirks.values()].filter((one) => one.model === model && one.quirk === name);
  return all.flatMap(({ harms = [] }) => harms.filter(isCertain).map(({ client }) => client));
}

/** Not what only some models of a quirk do to it, nor what a `?.` in the code is enough for. */
const isCertain = ({ always }: ClientHarm): boolean => always.some((effect) => effect !== 'needs ?.');
