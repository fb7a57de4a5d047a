import { listOf, objectOf, own } from '../../chat/fields.js';
import type { Opportunity } from '../../chat/quirks.js';
import { isObject } from '../../json/json.js';
import type { JudgeContext } from '../context.js';

/** Whether an answer that was read as a completion is one in which such a quirk could show. */
const opportunities: Readonly<Record<Opportunity, (context: JudgeContext) => boolean>> = {
  answer: () => true,
  plain: (context) => !context.reply().streamed,
  plain_cut: (context) => !context.reply().streamed && wasCut(context),
  streamed: (context) => context.reply().streamed,
  finished: (context) => context.reply().finish_reason !== null,
  finished_text: (context) => context.reply().finish_reason !== null && !wasCut(context) && calls(context) === 0,
  finished_call: (context) => context.reply().finish_reason !== null && !wasCut(context) && calls(context) > 0,
  text: (context) => calls(context) === 0 || (context.reply().content ?? '') !== '',
  prose: isProse,
  reasoning: (context) => (context.reply().reasoning ?? '') !== '',
  json: holdsJson,
  tools_offered: ({ request }) =>
    listOf(own(request, 'tools')).length > 0 || listOf(own(request, 'functions')).length > 0,
  call: (context) => calls(context) > 0,
  call_with_arguments: (context) =>
    context
      .reply()
      .tool_calls.some(({ arguments: sent }) => isObject(sent) || (typeof sent === 'string' && !isBlank(sent))),
  call_without_arguments: (context) =>
    context
      .calls()
      .some((read) => read.kind === 'read' && isObject(read.value) && Object.keys(read.value).length === 0),
  call_one_meant: (context) => calls(context) > 0 && !isParallelOff(context) && namesOneFunction(context),
  call_parallel_off: (context) => calls(context) > 0 && isParallelOff(context),
  calls_several: (context) => calls(context) > 1,
  streamed_call: (context) => context.reply().streamed && calls(context) > 0,
  streamed_calls_several: (context) => context.reply().streamed && calls(context) > 1,
  usage: (context) => context.reply().usage !== null,
  usage_due: (context) => !context.reply().streamed || asksForUsage(context),
  streamed_usage: (context) => context.reply().streamed && context.reply().usage !== null,
};

const names = Object.keys(opportunities) as Opportunity[];

/** All that hold for an answer that was read as a completion. */
export function opportunitiesIn(context: JudgeContext): Opportunity[] {
  return names.filter((name) => opportunities[name](context));
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

const calls = (context: JudgeContext): number => context.reply().tool_calls.length;

const isBlank = (text: string): boolean => text.trim() === '';

function wasCut(context: JudgeContext): boolean {
  const reason = context.reply().finish_reason;
  return reason === 'length' || reason === 'content_filter';
}

function isProse(context: JudgeContext): boolean {
  const { toolCall, content } = context.expectation;
  if (calls(context) > 0 || context.reply().content === null) return false;
  return (toolCall.kind === 'none' || toolCall.kind === 'optional') && (content === 'text' || content === 'any');
}

/** Arguments, or a content where JSON is wanted, that can be read as JSON. */
function holdsJson(context: JudgeContext): boolean {
  if (calls(context) > 0) return context.calls().some(({ kind }) => kind === 'read');
  const { content } = context.expectation;
  if (context.reply().content === null || (content !== 'json' && content !== 'object')) return false;
  return context.document().kind === 'json';
}
