import type { Json, JsonObject } from '../../json/json.js';
import { withValueAt } from '../../json/pointer.js';
import { isObject } from '../../json/json.js';
import { patched, renamed } from '../../plan/request/assemble-body.js';
import type { Ticket } from '../../plan/ticket.js';

/** Settings that shape messages and schema, or the form itself, which a client writes anyway. */
const ofForm: ReadonlySet<string> = new Set(['json_word', 'strict']);

/**
 * The settings of a recommendation as members of a request body, with what the config sends to the model in any case.
 * @param tickets those of the model
 */
export function recommendedRequest(settings: Readonly<Record<string, string>>, tickets: readonly Ticket[]): JsonObject {
  const model = tickets[0]?.cell.model;
  const body = Object.entries(settings).reduce<JsonObject>(
    (built, [name, label]) => (ofForm.has(name) ? built : patched(built, membersFor(name, label, tickets))),
    {},
  );
  return model === undefined ? body : renamed(patched(body, model.request), model.rename);
}

function membersFor(name: string, label: string, tickets: readonly Ticket[]): JsonObject {
  // Its function is named by the client.
  if (name === 'tool_choice' && label === 'object') return {};
  if (name === 'max_tokens') return { max_tokens: Number(label) };
  if (name === 'stream') return { stream: label === 'true' };
  if (name === 'tool_choice') return { tool_choice: label };
  for (const { cell } of tickets) {
    if (cell.point[name] !== label) continue;
    const axis = cell.probe.axes.find((one) => one.name === name);
    if (axis?.kind === 'settings') return cell.model.settings[axis.settings]?.[label] ?? {};
    const value = axis?.points.get(label);
    if (axis === undefined || value === undefined) continue;
    if (value.kind === 'unset') return {};
    const members = withValueAt({}, axis.at, value.value);
    if (isObject(members)) return members;
  }
  return { [name]: asWritten(label) };
}

/** Members that no axis names are described by their value: a text as it is, all else as JSON. */
function asWritten(label: string): Json {
  try {
    return JSON.parse(label) as Json;
  } catch {
    return label;
  }
}
