import { didYouMean, nearest } from '../files/problems/nearest.js';
import { itemsOrEmpty } from '../chat/fields.js';
import { declarationsOf } from '../chat/request-kind.js';
import type { Path } from '../files/problems/problem.js';
import { type Json, type JsonObject, at, pointerSteps } from '../json/json.js';
import { formFault, hasTemplate, type BodyFault } from './fault.js';

/**
 * Faults between the parts of a whole body: tools of one name, a `tool_choice` without the tools that it is
 * about; and what many services refuse although others take it.
 */
export function* relationFaults(body: JsonObject): Generator<BodyFault> {
  yield* duplicateToolFaults(body);
  yield* unusualToolNames(body);
  yield* callsWithoutContent(body);
  const { tool_choice: choice } = body;
  if (choice === undefined || choice === null) return;
  if (declarationsOf(body).length === 0) {
    // Tools under a misspelt name are one mistake, not two.
    if (Object.keys(body).some((name) => nearest(name, ['tools']) !== null)) return;
    yield choiceWithoutTools(choice);
    return;
  }
  const declared = toolNames(body);
  // A name with a template in it could not be filled.
  if (declared.some(hasTemplate)) return;
  for (const { name, path } of namedIn(choice)) {
    if (declared.includes(name) || hasTemplate(name)) continue;
    const message = `tool_choice names "${name}", which is no tool of the request`;
    yield formFault(path, message, didYouMean(name, declared, 'tools'));
  }
}

/** The names of the declared functions and custom tools, those of messages included. */
export function toolNames(body: JsonObject): string[] {
  const names = declarationsOf(body).map((tool) => at(tool, ['function', 'name']) ?? at(tool, ['custom', 'name']));
  return names.filter((name) => typeof name === 'string');
}

/** Nobody can tell which of them a call is of. */
function* duplicateToolFaults({ tools }: JsonObject): Generator<BodyFault> {
  const names = Array.isArray(tools) ? tools.map((tool: Json) => at(tool, ['function', 'name'])) : [];
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index || typeof name !== 'string' || name === '' || hasTemplate(name)) continue;
    const message = `tools.${index} has the name of tools.${first}: "${name}"`;
    const path = ['tools', index, 'function', 'name'];
    yield { ...formFault(path, message, 'give each tool its own name'), severity: 'warning' };
  }
}

/** The function names that most services take. */
const usualToolName = /^[\w-]{1,64}$/;

function* unusualToolNames({ tools }: JsonObject): Generator<BodyFault> {
  for (const [index, tool] of itemsOrEmpty(tools).entries()) {
    const name = at(tool, ['function', 'name']);
    if (typeof name !== 'string' || name === '' || hasTemplate(name) || usualToolName.test(name)) continue;
    // A tool that the service has itself is named as the service names it.
    if (at(tool, ['type']) !== 'function') continue;
    const path = ['tools', index, 'function', 'name'];
    const what = name.length > 64 ? `has ${name.length} characters` : 'has characters beyond letters, digits, _ and -';
    const message = `the name "${name}" ${what}`;
    yield {
      ...formFault(path, message, 'many services refuse it; use at most 64 letters, digits, _ and -'),
      severity: 'warning',
    };
  }
}

function* callsWithoutContent({ messages }: JsonObject): Generator<BodyFault> {
  for (const [index, message] of itemsOrEmpty(messages).entries()) {
    if (!Array.isArray(at(message, ['tool_calls'])) || at(message, ['content']) !== undefined) continue;
    const path = ['messages', index];
    const found = formFault(
      path,
      `messages.${index} has tool_calls and no "content"`,
      'some services refuse that; write content: null',
    );
    yield { ...found, severity: 'warning', kind: 'missing', lacks: [...path, 'content'] };
  }
}

function choiceWithoutTools(choice: Json): BodyFault {
  const hint = 'declare the tools, or leave tool_choice out';
  const found = formFault(['tool_choice'], 'tool_choice stands without tools', hint, 'key');
  // A choice that asks for nothing fits every request.
  return { ...found, severity: choice === 'none' ? 'warning' : 'error', kind: 'missing', lacks: ['tools'] };
}

function* namedIn(choice: Json): Generator<{ name: string; path: Path }> {
  const allowed = at(choice, ['allowed_tools', 'tools']);
  const inner = Array.isArray(allowed)
    ? [...allowed.keys()].map((index) => ['allowed_tools', 'tools', String(index)])
    : [];
  for (const holder of [[], ...inner]) {
    for (const kind of ['function', 'custom']) {
      const steps = [...holder, kind, 'name'];
      const name = at(choice, steps);
      if (typeof name === 'string' && name !== '') yield { name, path: ['tool_choice', ...steps] };
    }
  }
}

/** The deliberate mistakes of a probe: JSON Pointers of its `deliberate`, and which of them were needed. */
export interface Deliberate {
  /** Whether a pointer leads to the fault or to something around it; for what is missing, also to something inside. */
  readonly covers: (fault: Pick<BodyFault, 'path' | 'lacks'>) => boolean;
  /** Indexes of the pointers that covered nothing so far. */
  readonly unused: () => readonly number[];
}

export function deliberateOf(pointers: readonly string[]): Deliberate {
  const all = pointers.map(pointerSteps);
  const used = new Set<number>();
  return {
    covers({ path, lacks }) {
      const hits = [...all.entries()].filter(
        ([, steps]) =>
          beginsWith(path, steps) || (lacks !== null && (beginsWith(lacks, steps) || beginsWith(steps, lacks))),
      );
      for (const [index] of hits) used.add(index);
      return hits.length > 0;
    },
    unused: () => [...all.keys()].filter((index) => !used.has(index)),
  };
}

function beginsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => String(path[index]) === String(step));
}
