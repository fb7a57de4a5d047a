import { loadProfiles } from '../../../src/simulator/profiles/load-profiles.js';
import type { Fault, Profile, Traits, When } from '../../../src/simulator/profiles/profile.js';
import { profilesFolder } from '../../../test/support/ask-service.js';
import { kinds } from './kinds.js';
import type { Circumstances, FailureMode, Form, WorldModel } from './model.js';

const reference = (await loadProfiles([profilesFolder])).profiles.get('sim-reference')!;

/** The header of an answer that names the modes that struck, so that trials can be counted without reading answers. */
export const struckHeader = (index: number): string => `x-world-mode-${index}`;

/** The model as data for the embedded service. */
export function profileOf(model: WorldModel): Profile {
  return {
    id: model.id,
    summary: 'A composed model.',
    source: 'bench/worlds',
    demo: false,
    traits: traitsOf(model),
    faults: model.modes.flatMap((mode, index) => faultsOf(mode, index)),
  };
}

function traitsOf({ thinksByDefault }: WorldModel): Traits {
  const { traits } = reference;
  return { ...traits, thinking: { ...traits.thinking, default: thinksByDefault ? 'on' : 'off' }, obeys_limit: false };
}

/** One fault for each form on which the mode can strike; the draw is the mode's own, whichever form is asked. */
function faultsOf(mode: FailureMode, index: number): readonly Fault[] {
  const kind = kinds[mode.kind];
  return (mode.when.form ?? kind.forms)
    .filter((form) => kind.forms.includes(form))
    .map((form) => ({
      when: {
        ...formCondition(form, mode.when, kind.toolChoices),
        ...circumstances(mode.when),
        ...(mode.rate < 1 && { rate: mode.rate }),
      },
      do: { ...kind.make(mode), headers: { [struckHeader(index)]: mode.kind } },
    }));
}

function formCondition(form: Form, { tool_choice: choices }: Circumstances, able: Circumstances['tool_choice']): When {
  if (form !== 'tools') return { tools: false, response_format: [form === 'text' ? 'none' : form] };
  const wanted = choices === undefined ? able : choices.filter((choice) => able?.includes(choice) ?? true);
  return { tools: true, ...(wanted !== undefined && { tool_choice: wanted }) };
}

function circumstances({ stream, thinking, below, from, prompt }: Circumstances): When {
  return {
    ...(stream !== undefined && { stream }),
    ...(thinking !== undefined && { thinking }),
    ...(below !== undefined && { max_tokens_below: below }),
    ...(from !== undefined && { max_tokens_from: from }),
    ...(prompt !== undefined && { prompt: prompt.replaceAll(/[^\w ]/g, '\\$&') }),
  };
}
