import { yaml } from '../../files/yaml/yaml-places.js';
import { groupBy } from '../../json/group-by.js';
import type { AbsentSetting } from '../../plan/ticket.js';
import { listOf } from '../sections/names.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { notes } = texts;

/**
 * One note for all models that lack the same settings for the same probes: a sentence, and below it the lines of the
 * config that would ask them.
 */
export function absentSettingsNotes(absent: readonly AbsentSetting[]): readonly string[] {
  const byModel = groupBy(absent, ({ model }) => model);
  const alike = groupBy([...byModel], ([, lacking]) => JSON.stringify(lacking.map((one) => ({ ...one, model: '' }))));
  return [...alike.values()].map((group) => {
    const models = group.map(([model]) => model);
    return noteFor(models, group[0]?.[1] ?? []);
  });
}

/** Models and probes that a note names; report.json has them all. */
const mostNamed = { models: 6, probes: 3 };

function noteFor(models: readonly string[], lacking: readonly AbsentSetting[]): string {
  const what = lacking.map(
    ({ settings, label, probes }) =>
      `${settings}${label === null ? '' : `=${label}`} (${listed(probes, mostNamed.probes)})`,
  );
  const sentence = say(notes.notAsked, {
    ...{ models: listed(models, mostNamed.models), number: models.length, settings: what.join(', ') },
  });
  return `${sentence}\n${settingsExample(lacking)}`;
}

/** One name more takes no more room than the words "and 1 more". */
const listed = (names: readonly string[], most: number): string =>
  names.length <= most + 1 ? names.join(', ') : listOf(names, most);

/** Lines of YAML that define the settings, one line for each. */
function settingsExample(lacking: readonly AbsentSetting[]): string {
  const byName = groupBy(lacking, ({ settings }) => settings);
  const settings = Object.fromEntries(
    [...byName].map(([name, group]) => [
      name,
      patches(
        name,
        group.flatMap(({ labels }) => labels),
        group.every(({ label }) => label === null),
      ),
    ]),
  );
  const lines = Object.entries(settings).map(([name, labels]) => {
    const shown = yaml().stringify(labels, { collectionStyle: 'flow', lineWidth: 0, nullStr: '~' });
    return `  ${name}: ${shown.trimEnd()}`;
  });
  return ['settings:', ...lines].join('\n');
}

type Patch = Readonly<Record<string, unknown>>;

/** What the Chat Completions fields of these names look like; the values differ from vendor to vendor. */
const usual: Readonly<
  Record<string, { readonly labels: readonly string[]; readonly patch: (label: string) => Patch }>
> = {
  thinking: { labels: ['enabled', 'disabled'], patch: (label) => ({ thinking: { type: label } }) },
  reasoning_effort: { labels: ['low', 'high'], patch: (label) => ({ reasoning_effort: label }) },
};

/** @param whole the model has nothing of the axis yet, so a label that changes nothing is shown as well */
function patches(name: string, named: readonly string[], whole: boolean): Readonly<Record<string, Patch | null>> {
  const known = Object.hasOwn(usual, name) ? usual[name] : undefined;
  const labels = whole && known !== undefined ? known.labels : named.filter((label) => label !== 'default');
  const patch = known?.patch ?? ((label: string) => ({ [name]: label }));
  const shown = labels.length > 0 || !whole ? labels : ['LABEL'];
  const patched = shown.map((label) => [label, patch(label)] as const);
  return Object.fromEntries<Patch | null>([...(whole ? [['default', null] as const] : []), ...patched]);
}
