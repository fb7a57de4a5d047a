import { isObject } from '../../json/json.js';
import type { ChatRequest, Tool } from '../http/request.js';
import type { KnownTask } from './known-tasks.js';

/** The tool to call, or null for an answer in words. */
export function chooseTool(request: ChatRequest, task: KnownTask | null): Tool | null {
  const { toolChoice, tools } = request;
  if (tools.length === 0 || toolChoice.kind === 'none') return null;
  if (toolChoice.kind === 'object') return tools.find((tool) => tool.name === toolChoice.name) ?? null;
  const best = bestTool(request, task);
  if (toolChoice.kind === 'required') return best.tool;
  const answered = request.messages.at(-1)?.role === 'tool';
  return best.score > 0 && !answered ? best.tool : null;
}

function bestTool({ tools, messages }: ChatRequest, task: KnownTask | null): { tool: Tool | null; score: number } {
  const promptWords = words(
    messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join(' '),
  );
  return tools
    .map((tool) => ({ tool, score: overlap(promptWords, tool) + taskScore(task, tool) }))
    .reduce<{ tool: Tool | null; score: number }>((best, next) => (next.score > best.score ? next : best), {
      tool: tools[0] ?? null,
      score: 0,
    });
}

/** A tool of the known answer outweighs any likeness of words; the answer's first tool outweighs its others. */
function taskScore(task: KnownTask | null, tool: Tool): number {
  const place = isObject(task?.answer) ? Object.keys(task.answer).indexOf(tool.name) : -1;
  return place === -1 ? 0 : 100 - 10 * place;
}

/** Words of the prompt count twice when the tool's name or description contains them, once when its property names do. */
function overlap(promptWords: ReadonlySet<string>, tool: Tool): number {
  const properties =
    isObject(tool.parameters) && isObject(tool.parameters['properties']) ? tool.parameters['properties'] : {};
  const own = words(`${tool.name} ${tool.description}`);
  const named = words(Object.keys(properties).join(' '));
  return 2 * commonCount(promptWords, own) + commonCount(promptWords, named);
}

function commonCount(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return [...left].filter((word) => right.has(word)).length;
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'about after also answer assistant been call called calls does from function functions good have hello help into just like make please ' +
    'some that their them then there these they this tool tools want what when which will with would your today return returns used use'
  ).split(' '),
);

/** Stems of the meaningful words: those of at least four letters, cut to six. */
function words(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(
    found.filter((word) => !stopWords.has(word)).map((word) => word.replace(/(?:ing|ed|es|s|er)$/, '').slice(0, 6)),
  );
}
