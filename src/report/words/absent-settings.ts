import { yaml } from '../../files/yaml/yaml-places.js';
import { groupBy } from '../../json/group-by.js';
import type { AbsentSetting } from '../../plan/plan.js';
import { joinedNames } from '../sections/names.js';
import { texts } from './catalogue.js';
import { say } from './message.js';
import { writtenJson } from '../../json/json.js';

const { notes } = texts;

/**
 * One note for all models that lack the same settings for the same probes: a sentence, and below it the lines of the
 * config that would ask them.
 */
export function absentSettingsNotes(absent: readonly AbsentSetting[]): readonly string[] {
  const byModel = groupBy(absent, ({ model }) => model);
  const alike = groupBy([...byModel], ([, lacking]) => writtenJson(lacking.map((one) => ({ ...one, model: '' }))));
  return [...alike.values()].map((group) => {
    const models = group.map(([model]) => model);
    return absentSettingsNote(models, group[0]?.[1] ?? []);
  });
}

/** Models and probes that a note names; report.json has them all. */
const maxAbsentNames = { models: 6, probes: 3 };

function absentSettingsNote(models: readonly string[], lacking: readonly AbsentSetting[]): string {
  const what = lacking.map(({ settings, probes }) => `${settings} (${cappedNameList(probes, maxAbsentNames.probes)})`);
  const sentence = say(notes.notAsked, {
    models: cappedNameList(models, maxAbsentNames.models),
    number: models.length,
    settings: what.join(', '),
  });
  return `${sentence}\n${settingsExample(lacking)}`;
}

/** One name more takes no more room than the words "and 1 more". */
const cappedNameList = (names: readonly string[], most: number): string =>
  names.length <= most + 1 ? names.join(', ') : joinedNames(names, most);

/** Usual forms of the Chat Completions fields of these names; the values differ from vendor to vendor. */
const usualSettings: ReadonlyMap<string, object> = new Map([
  ['thinking', { enabled: { thinking: { type: 'enabled' } }, disabled: { thinking: { type: 'disabled' } } }],
  ['reasoning_effort', { low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } }],
]);

/** Lines of YAML that define the settings, one line for each. */
function settingsExample(lacking: readonly AbsentSetting[]): string {
  const lines = lacking.map(({ settings: name }) => {
    // A label that changes nothing is shown as well.
    const labels = { default: null, ...(usualSettings.get(name) ?? { LABEL: { [name]: 'LABEL' } }) };
    const shown = yaml().stringify(labels, { collectionStyle: 'flow', lineWidth: 0, nullStr: '~' });
    return `  ${name}: ${shown.trimEnd()}`;
  });
  return ['settings:', ...lines].join('\n');
}
