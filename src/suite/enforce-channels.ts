/** How `enforce` hands a schema to the model: the labels of the axis `channel` that it adds to a probe. */
export const enforceChannels = ['response_format', 'tools'] as const;

/** A `schema.KEYWORD` that `enforce` measures through the channel `tools` is the separate capability `tool_schema.KEYWORD`. */
export function capabilityThrough(channel: string | undefined, capability: string): string {
  return channel === 'tools' ? capability.replace(/^schema\./, 'tool_schema.') : capability;
}
