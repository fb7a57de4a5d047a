import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import type { AbsentSetting } from '../../plan/plan.js';
import { absentSettingsNotes } from './absent-settings.js';

const anAbsence = (changes: Partial<AbsentSetting> = {}): AbsentSetting => ({
  ...{ model: 't/a', settings: 'thinking', probes: ['s/one'] },
  ...changes,
});
const effort = { settings: 'reasoning_effort' };
const pasted = (note = ''): unknown => parse(note.slice(note.indexOf('\n')));

describe('the note about settings that the config does not define', () => {
  test('is a single one for all axes of a model, and its lines are YAML to paste', () => {
    const notes = absentSettingsNotes([anAbsence(), anAbsence(effort)]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^Not asked of t\/a, .*: thinking \(s\/one\), reasoning_effort \(s\/one\)\. /);
    expect(pasted(notes[0])).toEqual({
      settings: {
        thinking: {
          default: null,
          enabled: { thinking: { type: 'enabled' } },
          disabled: { thinking: { type: 'disabled' } },
        },
        reasoning_effort: { default: null, low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } },
      },
    });
    expect(notes[0]?.split('\n')).toHaveLength(4);
  });

  test('is shared by models that lack the same, and short however many they are', () => {
    const models = Array.from({ length: 48 }, (_, index) => `t/model-${index}`);
    const absent = models.flatMap((model) => [anAbsence({ model }), anAbsence({ model, ...effort })]);
    const notes = absentSettingsNotes([...absent, anAbsence({ model: 't/other' })]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toContain('of t/model-0, t/model-1, t/model-2, t/model-3, t/model-4, t/model-5 and 42 more,');
    expect(notes[0]!.length).toBeLessThan(700);
    expect(notes[1]).toContain('of t/other, ');
  });

  test('names a few of many probes', () => {
    const probes = ['s/a', 's/b', 's/c', 's/d', 's/e'];
    expect(absentSettingsNotes([anAbsence({ probes })])[0]).toContain('thinking (s/a, s/b, s/c and 2 more)');
    expect(absentSettingsNotes([anAbsence({ probes: probes.slice(1) })])[0]).toContain('thinking (s/b, s/c, s/d, s/e)');
  });

  test('shows where a label goes, for settings of any other name', () => {
    expect(pasted(absentSettingsNotes([anAbsence({ settings: 'verbosity' })])[0])).toEqual({
      settings: { verbosity: { default: null, LABEL: { verbosity: 'LABEL' } } },
    });
  });
});
