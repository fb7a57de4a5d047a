import { project, simulate, type Project } from './program.js';

/** A small suite of one's own, and a service whose models are what a test says, so that they can change over night. */
const suite = `suite: shop
title: What our shop sends
defaults: { request: { max_tokens: 1024 } }
probes:
  hello: { capability: chat, tags: [smoke], request: { messages: [{ role: user, content: Say hello. }] } }
  stream: { capability: stream.chat, request: { messages: [{ role: user, content: Say hello. }], stream: true } }
  task:
    capability: json_object
    request:
      messages: [{ role: user, content: Return a JSON object with the keys status and score. }]
      response_format: { type: json_object }
  mood:
    capability: json_schema
    request:
      messages: [{ role: user, content: 'What is the sentiment of this review, as json? The lamp is fine.' }]
      response_format:
        type: json_schema
        json_schema:
          name: mood
          strict: true
          schema:
            type: object
            properties: { mood: { enum: [good, bad] } }
            required: [mood]
            additionalProperties: false
  order:
    capability: 'tool_choice.{{tool_choice}}'
    needs: [shop/hello]
    request:
      messages: [{ role: user, content: 'Order 3 keyboards for Li Lei.' }]
      tools:
        - type: function
          function:
            name: create_order
            parameters:
              type: object
              properties: { buyer: { type: string }, quantity: { type: integer } }
              required: [buyer, quantity]
              additionalProperties: false
    vary:
      tool_choice: { required: required, object: { type: function, function: { name: create_order } } }
`;

const refused = (status: number, message: string): string =>
  `do: { respond: { status: ${status}, body: { error: { message: ${message} } } } }`;

/** What is wrong with the answers of a model. */
export const faults = {
  none: '',
  object500: `{ when: { tool_choice: [object] }, ${refused(500, 'Internal server error')} }`,
  object400: `{ when: { tool_choice: [object] }, ${refused(400, 'tool_choice must be none or auto or required')} }`,
  objectThinking: `{ when: { tool_choice: [object] }, ${refused(400, 'tool_choice object is incompatible with thinking')} }`,
  prose: '{ when: { response_format: [json_object] }, do: { content: I have read all of it. } }',
  empty: "{ when: { response_format: [json_object] }, do: { content: '' } }",
  noId: '{ do: { unset: [/id], unset_in_chunks: [/id] } }',
  schema503: `{ when: { response_format: [json_schema] }, ${refused(503, 'The service is overloaded.')} }`,
} as const;

export interface Shop extends Project {
  /** Starts the service with these models, in place of the one before, and names them in the config. */
  readonly serve: (models: Readonly<Record<string, keyof typeof faults>>, also?: readonly string[]) => Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const shop = await project({ 'shop.yaml': suite });
  let stop = (): Promise<unknown> => Promise.resolve();
  return {
    ...shop,
    serve: async (models, also = []) => {
      await stop();
      const profiles = Object.entries(models).map(
        ([id, fault]) =>
          `  - { id: ${id}, extends: sim-reference, summary: A model., source: test, faults: [${faults[fault]}] }`,
      );
      const service = await simulate(shop, `profiles:\n${profiles.join('\n')}\n`);
      stop = service.stop;
      const ids = [...Object.keys(models), ...also];
      await shop.write({ 'chatspec.yaml': configOf(service.base_url, ids) });
    },
  };
}

const configOf = (baseUrl: string, models: readonly string[]): string => `targets:
  shop:
    base_url: ${baseUrl}
    api_key_env: SHOP_KEY
    limits: { retries: 0, timeout_s: 20 }
    models: [${models.join(', ')}]
suites: [shop.yaml]
baseline: baseline.yaml
`;
