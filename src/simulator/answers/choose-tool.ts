import { isObject } from '../../json/json.js';
import type { ChatRequest, Message, Tool } from '../http/request.js';
import type { KnownTask } from './known-tasks.js';

/** The tool to call, or null for an answer in words. */
export function chooseTool(request: ChatRequest, task: KnownTask | null): Tool | null {
  const { toolChoice, tools } = request;
  switch (toolChoice.kind) {
    case 'none':
      return null;
    case 'object':
      return tools.find((tool) => tool.name === toolChoice.name) ?? null;
    case 'required':
      return bestTool(tools, request, task).tool;
    case 'allowed': {
      const allowed = tools.filter((tool) => toolChoice.names.includes(tool.name));
      return toolChoice.mode === 'required' ? bestTool(allowed, request, task).tool : ifWanted(allowed, request, task);
    }
    case 'absent':
    case 'auto':
      return ifWanted(tools, request, task);
  }
}

/**
 * The tool that the last turn asks for. The result of a tool is used and not asked for again, unless a later turn of
 * the user names the tool.
 */
function ifWanted(tools: readonly Tool[], request: ChatRequest, task: KnownTask | null): Tool | null {
  const { messages } = request;
  if (messages.at(-1)?.role === 'tool') return null;
  const answered = messages.findLastIndex(({ role }) => role === 'tool');
  if (answered === -1) return scored(bestTool(tools, request, task));
  const later = messages.slice(answered + 1).filter(({ role }) => role === 'user');
  const called = new Set(messages.flatMap(({ calls }) => calls.map(({ name }) => name)));
  const named = later.map(({ text }) => text).join('\n');
  const open = tools.filter(({ name }) => !called.has(name) || named.includes(name));
  return called.size === 0 ? null : scored(bestTool(open, { messages: later }, null));
}

function scored({ tool, score }: { readonly tool: Tool | null; readonly score: number }): Tool | null {
  return score > 0 ? tool : null;
}

function bestTool(
  tools: readonly Tool[],
  { messages }: { readonly messages: readonly Message[] },
  task: KnownTask | null,
): { tool: Tool | null; score: number } {
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

/** Common words of the prompt and of the tool's name, description and properties. */
function overlap(promptWords: ReadonlySet<string>, { name, description, parameters }: Tool): number {
  const properties = isObject(parameters) && isObject(parameters['properties']) ? parameters['properties'] : {};
  const own = words([name, description, ...Object.keys(properties)].join(' '));
  return [...promptWords].filter((word) => own.has(word)).length;
}

/** The beginnings of the words of a text that are long enough to mean something. */
function words(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(found.filter((word) => !stopWords.has(word)).map((word) => word.slice(0, 5)));
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'about after also answer assistant been call called calls does from function functions good have hello help into just like make please ' +
    'some that their them then there these they this tool tools want what when which will with would your today return returns used use'
  ).split(' '),
);
