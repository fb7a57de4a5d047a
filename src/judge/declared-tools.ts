import { listOf, objectOf, own, textOf } from '../chat/fields.js';
import type { Json, JsonObject } from '../json/json.js';

export interface DeclaredTool {
  readonly name: string;
  /** null where declared without parameters: any object is accepted. */
  readonly parameters: Json | null;
}

/** The functions that a request declares, by name. */
export function declaredTools(request: JsonObject): ReadonlyMap<string, DeclaredTool> {
  const tools = new Map<string, DeclaredTool>();
  for (const item of listOf(own(request, 'tools'))) {
    const named = objectOf(own(objectOf(item) ?? {}, 'function'));
    const name = named === null ? null : textOf(own(named, 'name'));
    if (named === null || name === null || tools.has(name)) continue;
    tools.set(name, { name, parameters: own(named, 'parameters') ?? null });
  }
  return tools;
}
