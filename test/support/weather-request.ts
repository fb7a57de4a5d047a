/** A request with a schema, as clients of the embedded service make it, and the document that its reference model answers. */
export const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
export const messages = [{ role: 'user' as const, content: 'City: Paris. The weather in celsius, please, as JSON.' }];
export const wanted = { city: 'Paris. The weather in celsius', unit: 'celsius' };
