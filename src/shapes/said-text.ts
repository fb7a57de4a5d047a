import { groupBy } from '../json/group-by.js';
import type { SaidByRun } from './said-by-run.js';

/** What the run says of a change, a line for what holds alike: `=` supported, `!` not, `?` not known. */
export function saidLines({ supported, unsupported, unknown }: SaidByRun): readonly string[] {
  const byCapability = groupBy(supported, ({ capability }) => capability);
  const byModels = groupBy([...byCapability], ([, all]) => all.map(({ model }) => model).join(', '));
  const byReason = groupBy(unknown, ({ model, says }) => `${model === null ? '' : ` of ${model}`}\n${says}`);
  return [
    ...[...byModels].map(
      ([models, all]) => `  = supported by ${models}: ${all.map(([capability]) => capability).join(', ')}`,
    ),
    ...unsupported.map(
      ({ capability, model, fresh, says }) => `  ! ${fresh ? 'now needs' : 'needs'} ${capability}: ${model} ${says}`,
    ),
    ...[...byReason].map(([key, all]) => {
      const [of, says] = key.split('\n');
      return `  ? not known${of}: ${all.map(({ what }) => what).join(', ')}: ${says}`;
    }),
  ];
}
