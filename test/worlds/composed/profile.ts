import { loadProfiles } from '../../../src/simulator/profiles/load-profiles.js';
import type { Fault, Profile, Traits, When } from '../../../src/simulator/profiles/profile.js';
import { profilesFolder } from '../../support/ask-service.js';
import { kinds } from './kinds.js';
import type { Circumstances, Enforcement, FailureMode, Form, WorldModel } from './model.js';
import { quirkFaults } from './quirks.js';

const reference = (await loadProfiles([profilesFolder])).profiles.get('sim-reference')!;

/** A document that the suite asks to repeat, and the one that conforms in its place. */
export interface EchoPair {
  readonly invalid: string;
  readonly valid: string;
}

/** The header of an answer that names the modes that struck, so that trials can be counted without reading answers. */
export const struckHeader = (index: number): string => `x-world-mode-${index}`;

/** The model as data for the embedded service. */
export function profileOf(model: WorldModel, echoes: readonly EchoPair[]): Profile {
  return {
    id: model.id,
    summary: 'A composed model.',
    source: 'test/worlds',
    demo: false,
    traits: traitsOf(model, echoes),
    faults: [
      ...model.modes.flatMap((mode, index) => faultsOf(mode, index)),
      ...model.enforcement.flatMap(enforcementFaults),
      ...habitFaults(model),
      ...model.quirks.map((quirk) => quirkFaults[quirk]).filter((fault) => fault !== undefined),
    ],
  };
}

function traitsOf({ thinksByDefault, enforcement, habit }: WorldModel, echoes: readonly EchoPair[]): Traits {
  const ignoredIn = (channel: Enforcement['channel']) =>
    enforcement.filter((one) => one.channel === channel && one.how === 'ignored').map(({ keyword }) => keyword);
  return {
    ...reference.traits,
    thinking: { ...reference.traits.thinking, default: thinksByDefault ? 'on' : 'off' },
    ignore_keywords_in: { response_format: ignoredIn('response_format'), tools: ignoredIn('tools') },
    repeats: habit !== 'unrelated',
    repeats_as: habit === 'corrects' ? Object.fromEntries(echoes.map(({ invalid, valid }) => [invalid, valid])) : {},
    obeys_limit: false,
  };
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
        ...(kind.breaksSchema && { repeat: false }),
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

const place = {
  response_format: { tools: false, response_format: ['json_schema'] },
  tools: { tools: true },
} as const satisfies Record<Enforcement['channel'], When>;

function enforcementFaults({ channel, keyword, how }: Enforcement): readonly Fault[] {
  const when: When = { ...place[channel], keywords: [keyword], repeat: true };
  switch (how) {
    case 'ignored':
      return [];
    case 'refused': {
      const message = `Invalid schema: the keyword ${keyword} is not supported.`;
      const param = channel === 'tools' ? 'tools[0].function.parameters' : 'response_format.json_schema.schema';
      return [
        {
          when,
          do: {
            respond: { status: 400, body: { error: { message, type: 'invalid_request_error', param, code: null } } },
          },
        },
      ];
    }
    case 'broken':
      return [{ when, do: channel === 'tools' ? { drop_calls: '' } : { content: '' } }];
  }
}

/** What a reply looks like that no schema binds. */
function habitFaults({ habit }: WorldModel): readonly Fault[] {
  const when: When = { repeat: true, tools: false, response_format: ['none'] };
  if (habit === 'fenced') return [{ when, do: { fence: 'json' } }];
  if (habit === 'chatty') return [{ when, do: { prefix: 'Sure, here is the document:\n\n' } }];
  return [];
}
