import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Classification } from '../../src/judge/refusals/classify.js';
import type { RungCheck } from '../../src/judge/context.js';
import { reasons, type Reason } from '../../src/judge/reasons.js';
import { loadBuiltin } from '../support/builtin-suites.js';
import { contradictedBy } from '../support/label-mismatches.js';
import { planOfLabels } from '../support/label-plan.js';
import {
  profileOf,
  recordLabels,
  rejudgeLabels,
  reportOf,
  runOf,
  type RecordedLabelRun,
} from '../support/label-run.js';
import { readLabels, type Label } from '../support/label-table.js';

/** The part that is removed from the judge at present. */
const removed = vi.hoisted(() => ({ rung: null as string | null, reason: null as string | null }));

vi.mock('../../src/judge/rungs/ladder.js', async (importOriginal) => {
  const { ladder } = await importOriginal<{ readonly ladder: readonly RungCheck[] }>();
  return {
    ladder: ladder.map((rung) => renamed(rung, (context) => (removed.rung === rung.name ? null : rung(context)))),
  };

  function renamed(rung: RungCheck, check: RungCheck): RungCheck {
    return Object.defineProperty(check, 'name', { value: rung.name });
  }
});

vi.mock('../../src/judge/refusals/classify.js', async (importOriginal) => {
  const { classify } = await importOriginal<{ readonly classify: (refusal: unknown) => Classification }>();
  return {
    classify: (refusal: unknown): Classification => {
      const found = classify(refusal);
      return found.reason === removed.reason ? { ...found, reason: instead(found.reason) } : found;
    },
  };

  // A refusal without a reason of its own is unknown; in place of unknown itself, a rejected parameter is the closest.
  function instead(reason: Reason): Reason {
    return reason === 'unknown' ? 'parameter_rejected' : 'unknown';
  }
});

// Rejudging cannot show anything for profiles that are only slow.
const labels = readLabels().filter((label) => label.with?.timeout_s === undefined);
const named = labels
  .filter(({ cells = [], unreachable }) => cells.length > 0 || unreachable !== undefined)
  .map((label): Label => ({ ...label, behaviours: [] }));
const rungs = [
  ...['transport', 'status', 'readable', 'finishReason', 'presence', 'parses', 'conforms', 'rules', 'effect'],
] as const;

describe('the judge contradicts the labels without', () => {
  let recorded: RecordedLabelRun;

  beforeAll(async () => {
    const { suites } = await loadBuiltin('core');
    recorded = await recordLabels(planOfLabels(named, suites, 'named'));
  }, 300_000);

  afterEach(() => {
    removed.rung = null;
    removed.reason = null;
  });

  /** The profiles among these whose labels no longer match when their recorded answers are rejudged. */
  const contradicted = async (asked: readonly Label[]): Promise<readonly string[]> => {
    const profiles = new Set(asked.map(({ profile }) => profile));
    return contradictedBy(asked, await reportOf(await rejudgeLabels(onlyOf(recorded, profiles)), []));
  };

  test('the complete judge agrees with them', async () => {
    expect(await contradicted(named)).toEqual([]);
  });

  test('there are no other rungs than these', async () => {
    const { ladder } = await import('../../src/judge/rungs/ladder.js');
    expect(ladder.map(({ name }) => name)).toEqual(rungs);
  });

  test.each(rungs)('rung %s', async (rung) => {
    removed.rung = rung;
    // One contradiction is enough, so the profiles are asked in parts.
    for (let from = 0; from < named.length; from += 20) {
      // Later rungs may rely on this one, so the judge may throw without it, which also counts as a contradiction.
      const found = await contradicted(named.slice(from, from + 20)).catch((error: unknown) => [String(error)]);
      if (found.length > 0) return;
    }
    expect.fail(`every label still matches without the rung ${rung}`);
  });

  test.each(reasons)('reason %s', async (reason) => {
    removed.reason = reason;
    const naming = named.filter((label) => names(label, reason));
    expect(naming).not.toEqual([]);
    expect(await contradicted(naming)).toEqual(naming.map(({ profile }) => profile));
  });
});

/** What was recorded of these profiles. */
function onlyOf(recorded: RecordedLabelRun, profiles: ReadonlySet<string>): RecordedLabelRun {
  const journal = recorded.journal.filter((line) => line.type !== 'exchange' || profiles.has(profileOf(line.model)));
  return { ...runOf(recorded, profiles), journal };
}

function names({ cells = [], unreachable }: Label, reason: Reason): boolean {
  return unreachable?.reason === reason || cells.some((cell) => cell.reason === reason);
}
