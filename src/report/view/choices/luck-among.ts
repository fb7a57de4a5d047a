import { withoutAxis } from '../../../cell/cell-key.js';
import type { ReportCapability, ReportCell } from '../../../matrix/report-format.js';
import { sumOf } from '../../../stats/count.js';
import { chanceOfAsMany } from '../../../stats/rule-of-succession.js';
import { unlikely } from '../../../stats/unlikely.js';
import { count } from '../phrases.js';
import { cellsOf, type Known } from './known.js';

/** Why the passes may be luck: as many would not surprise at the rate of these, which fail at times; null: they are not. */
export function luckAmong(own: readonly ReportCell[], others: readonly ReportCell[]): string | null {
  const flaky = others.filter(({ verdict }) => verdict === 'flaky');
  if (flaky.length === 0) return null;
  const [held, before] = [own, flaky].map((cells) => sumOf(cells.map(({ trials }) => trials)));
  if (held === undefined || before === undefined || chanceOfAsMany(held, before) <= unlikely) return null;
  const names = [...new Set(flaky.map(({ capability }) => capability))];
  return `${held.passed} of ${count(held.total, 'trial')} passed, which may be luck: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} flaky (${before.passed} of ${before.total})`;
}

/** What fails at times without a stream may only have been lucky with one. */
export function plainAlike({ model }: ReportCapability, form: string, known: Known): readonly ReportCell[] {
  const plain = (known.capabilities.get(model) ?? []).filter(({ capability }) => capability === form);
  return plain.flatMap((one) => cellsOf(one, known));
}

/** The same probes at another thinking setting. */
export function otherSettings(
  { model }: ReportCapability,
  own: readonly ReportCell[],
  known: Known,
): readonly ReportCell[] {
  const alike = new Set(own.map(({ key }) => withoutAxis(key, 'thinking')));
  const keys = new Set(own.map(({ key }) => key));
  const ofThinking = (known.capabilities.get(model) ?? []).filter(({ capability }) => /^thinking\./.test(capability));
  return ofThinking
    .flatMap((one) => cellsOf(one, known))
    .filter(({ key }) => !keys.has(key) && alike.has(withoutAxis(key, 'thinking')));
}
