/** What every chunk of a stream repeats. */
export const chunkHead = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm-1' };

/** A chunk with one choice; `more` changes the choice. */
export function aChunk(delta: object, more: object = {}): string {
  const choice = { index: 0, delta, finish_reason: null, ...more };
  return `data: ${JSON.stringify({ ...chunkHead, choices: [choice] })}\n\n`;
}

/** The last chunk and `[DONE]`. */
export function aStreamEnd(reason = 'stop'): string {
  return `${aChunk({}, { finish_reason: reason })}data: [DONE]\n\n`;
}

/** A chunk with fragments of calls. */
export function aCallChunk(...fragments: readonly object[]): string {
  return aChunk({ tool_calls: fragments });
}

/** A fragment of a call; undefined leaves out the index. */
export function aCallFragment(index: unknown, id: unknown, name: unknown, args: unknown): object {
  return { ...(index === undefined ? {} : { index }), id, type: 'function', function: { name, arguments: args } };
}
