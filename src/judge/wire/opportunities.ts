import { listOf, objectOf, own } from '../../chat/fields.js';
import type { Opportunity } from '../../chat/quirks.js';
import type { Reply } from '../../chat/reply.js';
import { isObject } from '../../json/json.js';
import type { JudgeContext } from '../context.js';

/** An answer that was read as a completion. What most questions are about is looked up once. */
interface Shown {
  readonly reply: Reply;
  readonly calls: number;
  readonly wasCut: boolean;
  readonly context: JudgeContext;
}

/** Whether it is one in which such a quirk could show. */
const opportunities: Readonly<Record<Opportunity, (shown: Shown) => boolean>> = {
  answer: () => true,
  plain: ({ reply }) => !reply.streamed,
  plain_cut: ({ reply, wasCut }) => !reply.streamed && wasCut,
  streamed: ({ reply }) => reply.streamed,
  finished: ({ reply }) => reply.finish_reason !== null,
  finished_text: ({ reply, wasCut, calls }) => reply.finish_reason !== null && !wasCut && calls === 0,
  finished_call: ({ reply, wasCut, calls }) => reply.finish_reason !== null && !wasCut && calls > 0,
  text: ({ reply, calls }) => calls === 0 || (reply.content ?? '') !== '',
  prose: isProse,
  reasoning: ({ reply }) => (reply.reasoning ?? '') !== '',
  json: holdsJson,
  tools_offered: ({ context: { request } }) =>
    listOf(own(request, 'tools')).length > 0 || listOf(own(request, 'functions')).length > 0,
  call: ({ calls }) => calls > 0,
  call_with_arguments: ({ reply }) =>
    reply.tool_calls.some(({ arguments: sent }) => isObject(sent) || (typeof sent === 'string' && !isBlank(sent))),
  call_without_arguments: ({ calls, context }) =>
    calls > 0 &&
    context
      .calls()
      .some((read) => read.kind === 'read' && isObject(read.value) && Object.keys(read.value).length === 0),
  call_one_meant: ({ calls, context }) => calls > 0 && !isParallelOff(context) && namesOneFunction(context),
  call_parallel_off: ({ calls, context }) => calls > 0 && isParallelOff(context),
  calls_several: ({ calls }) => calls > 1,
  streamed_call: ({ reply, calls }) => reply.streamed && calls > 0,
  streamed_calls_several: ({ reply, calls }) => reply.streamed && calls > 1,
  usage: ({ reply }) => reply.usage !== null,
  usage_due: ({ reply, context }) => !reply.streamed || asksForUsage(context),
  streamed_usage: ({ reply }) => reply.streamed && reply.usage !== null,
};

const names = Object.keys(opportunities) as Opportunity[];

/** All that hold for an answer that was read as a completion. */
export function opportunitiesIn(context: JudgeContext): Opportunity[] {
  const reply = context.reply();
  const { finish_reason: reason } = reply;
  const wasCut = reason === 'length' || reason === 'content_filter';
  const shown: Shown = { reply, calls: reply.tool_calls.length, wasCut, context };
  return names.filter((name) => opportunities[name](shown));
}

/** Whether a stream was asked to end with its usage; without that, most services leave it out. */
export function asksForUsage({ request }: JudgeContext): boolean {
  return own(objectOf(own(request, 'stream_options')) ?? {}, 'include_usage') === true;
}

export function isParallelOff({ request }: JudgeContext): boolean {
  return own(request, 'parallel_tool_calls') === false;
}

/** The request forces one function, or the probe says which one must be called. */
export function namesOneFunction({ request, expectation }: JudgeContext): boolean {
  return isObject(own(request, 'tool_choice')) || expectation.toolCall.kind === 'named';
}

const isBlank = (text: string): boolean => text.trim() === '';

function isProse({ reply, calls, context }: Shown): boolean {
  const { toolCall, content } = context.expectation;
  if (calls > 0 || reply.content === null) return false;
  return (toolCall.kind === 'none' || toolCall.kind === 'optional') && (content === 'text' || content === 'any');
}

/** Arguments, or a content where JSON is wanted, that can be read as JSON. */
function holdsJson({ reply, calls, context }: Shown): boolean {
  if (calls > 0) return context.calls().some(({ kind }) => kind === 'read');
  const { content } = context.expectation;
  if (reply.content === null || (content !== 'json' && content !== 'object')) return false;
  return context.document().kind === 'json';
}
