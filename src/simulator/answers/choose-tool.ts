import { isObject } from '../../json/json.js';
import type { ChatRequest, Tool } from '../http/request.js';
import type { KnownTask } from './knowledge.js';

/** The tool to call, or null for an answer in words. `task`: what is known about the conversation. */
export function chooseTool(request: ChatRequest, task: KnownTask | null): Tool | null {
  const { toolChoice, tools } = request;
  if (tools.length === 0 || toolChoice.kind === 'none') return null;
  if (toolChoice.kind === 'object') return tools.find((tool) => tool.name === toolChoice.name) ?? null;
  const best = fittest(request, task);
  if (toolChoice.kind === 'required') return best.tool;
  const answered = request.messages.at(-1)?.role === 'tool';
  return best.score > 0 && !answered ? best.tool : null;
}

function fittest({ tools, messages }: ChatRequest, task: KnownTask | null): { tool: Tool | null; score: number } {
  const said = words(
    messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join(' '),
  );
  return tools
    .map((tool) => ({ tool, score: overlap(said, tool) + known(task, tool) }))
    .reduce<{ tool: Tool | null; score: number }>((best, next) => (next.score > best.score ? next : best), {
      tool: tools[0] ?? null,
      score: 0,
    });
}

/** The task's own answers outweigh any likeness of words; the first of them is the one that the text is about. */
function known(task: KnownTask | null, tool: Tool): number {
  const place = isObject(task?.answer) ? Object.keys(task.answer).indexOf(tool.name) : -1;
  return place === -1 ? 0 : 100 - 10 * place;
}

/** Words of the prompt that the tool's own name or description hold count double, names of its properties once. */
function overlap(said: ReadonlySet<string>, tool: Tool): number {
  const properties =
    isObject(tool.parameters) && isObject(tool.parameters['properties']) ? tool.parameters['properties'] : {};
  const own = words(`${tool.name} ${tool.description}`);
  const named = words(Object.keys(properties).join(' '));
  return 2 * common(said, own) + common(said, named);
}

function common(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return [...left].filter((word) => right.has(word)).length;
}

const idle: ReadonlySet<string> = new Set(
  (
    'about after also answer assistant been call called calls does from function functions good have hello help into just like make please ' +
    'some that their them then there these they this tool tools want what when which will with would your today return returns used use'
  ).split(' '),
);

/** Stems of the words that carry meaning: at least four letters, cut to six. */
function words(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(
    found.filter((word) => !idle.has(word)).map((word) => word.replace(/(?:ing|ed|es|s|er)$/, '').slice(0, 6)),
  );
}
