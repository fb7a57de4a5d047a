import { simulate, type Simulator } from '../../../src/simulator/index.js';

/** Where the service of the documents is said to be. */
export const storyAddress = 'https://llm.example.com/v1';

const fine = (id: string): string =>
  `  - { id: ${id}, summary: Does everything right., source: The story of the documents. }\n`;
/** Refused with 400, which nobody sends again after a pause, as they would a 500. */
const noObject = (id: string): string => `  - id: ${id}
    summary: Refuses the object form of tool_choice.
    source: The story of the documents.
    faults:
      - when: { tool_choice: [object] }
        do:
          respond:
            status: 400
            body: { error: { message: 'tool_choice must be none, auto or required', type: invalid_request_error, param: tool_choice } }
`;
const fenced = (id: string): string => `  - id: ${id}
    summary: Writes its JSON into a code fence.
    source: The story of the documents.
    faults:
      - when: { response_format: [json_object] }
        do: { fence: json }
`;

/** Slower than any other model, so that it is clear which of them would end last and is asked first. */
const slowly = (profile: string): string => `${profile}      - do: { delay: { before_ms: 100 } }\n`;

/** What the service does on each day of the story, as profiles of the embedded service. */
export const storyDays = {
  'first day': fine('model-a') + noObject('model-b'),
  'red night': fenced('model-a') + noObject('model-b'),
  'new model': fenced('model-a') + noObject('model-b') + fine('model-c'),
  'retired model': slowly(fenced('model-a')) + fine('model-c'),
} as const;

export type StoryDay = keyof typeof storyDays;
export const isStoryDay = (text: string): text is StoryDay => text in storyDays;

/** A service on loopback that stays at its address while its models change. */
export interface StoryService {
  readonly baseUrl: string;
  readonly become: (day: StoryDay) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startStory(): Promise<StoryService> {
  const start = (day: StoryDay, port: number): Promise<Simulator> =>
    simulate({ profiles: `profiles:\n${storyDays[day]}`, port });
  let service = await start('first day', 0);
  const { baseUrl } = service;
  return {
    baseUrl,
    become: async (day) => {
      await service.close();
      service = await start(day, Number(new URL(baseUrl).port));
    },
    close: () => service.close(),
  };
}
