// What fixtures/clients.yaml says besides what is measured.

/** What each call of fixtures/clients asks for; its code is in the try.mjs of the client. */
export const callsMean = {
  plain: 'a text',
  streamed: 'a text as a stream',
  structured: 'an object by response_format json_schema, parsed by the library',
  json: 'an object by response_format json_object',
  markdown: 'an object in Markdown, with the schema in the prompt',
  streamed_json: 'an object by response_format json_object, as a stream',
  tool: 'a forced tool call',
  streamed_tool: 'a forced tool call as a stream',
  prompted: 'an object by a schema in the prompt alone',
  marked: 'an object as a field behind a marker in the text',
  named_tool: 'a call of the tool that the request names',
  one_tool: 'a forced tool call with parallel_tool_calls false',
  bare_tool: 'a forced call of a tool without parameters',
  calling: 'an object as the arguments of a named function',
  tool_loop: 'a text after a tool was called and its result sent back',
};

const openai = {
  ...{ plain: 'chat.completions.create', streamed: 'chat.completions.create', json: 'chat.completions.create' },
  ...{ tool: 'chat.completions.create', one_tool: 'chat.completions.create', bare_tool: 'chat.completions.create' },
};
const ai = {
  ...{ plain: 'generateText', streamed: 'streamText', structured: 'generateObject', json: 'generateObject' },
  ...{ tool: 'generateText', one_tool: 'generateText', bare_tool: 'generateText', tool_loop: 'generateText' },
  streamed_tool: 'streamText',
};
const inLoops = (method) => ({ named_tool: method, tool_loop: method });
const withOutput = (method) => `withStructuredOutput, ${method}`;
const instructor = (mode) => `chat.completions.create, ${mode}`;

/** The function of the library behind each call, by client. */
export const methods = {
  'openai-6': { ...openai, structured: 'chat.completions.parse', streamed_tool: 'chat.completions.stream' },
  'openai-4': { ...openai, structured: 'beta.chat.completions.parse', streamed_tool: 'beta.chat.completions.stream' },
  'ai-5': ai,
  'ai-5-compatible': ai,
  langchain: {
    ...{ plain: 'invoke', streamed: 'stream' },
    ...{ structured: withOutput('jsonSchema'), json: withOutput('jsonMode'), calling: withOutput('functionCalling') },
    ...{ tool: 'bindTools, invoke', one_tool: 'bindTools, invoke', bare_tool: 'bindTools, invoke' },
    streamed_tool: 'bindTools, stream',
  },
  'python-openai': {
    ...openai,
    ...inLoops('chat.completions.create'),
    structured: 'chat.completions.parse',
    streamed_tool: 'chat.completions.stream',
  },
  'python-litellm': {
    ...{ plain: 'completion', streamed: 'completion', structured: 'completion', json: 'completion' },
    ...inLoops('completion'),
    ...{ tool: 'completion', one_tool: 'completion', bare_tool: 'completion' },
    streamed_tool: 'completion, stream_chunk_builder',
  },
  'python-langchain': {
    ...{ plain: 'invoke', streamed: 'stream' },
    ...{ structured: 'with_structured_output, json_schema', json: 'with_structured_output, json_mode' },
    calling: 'with_structured_output, function_calling',
    ...inLoops('bind_tools, invoke'),
    ...{ tool: 'bind_tools, invoke', one_tool: 'bind_tools, invoke', bare_tool: 'bind_tools, invoke' },
    streamed_tool: 'bind_tools, stream',
  },
  'python-pydantic-ai': {
    ...{ plain: 'run', streamed: 'run_stream', tool_loop: 'run' },
    ...{ structured: 'run, NativeOutput', json: 'run, PromptedOutput', calling: 'run, output_type' },
    ...{ tool: 'run, ToolOutput', one_tool: 'run, ToolOutput' },
    ...{ streamed_tool: 'run_stream, ToolOutput', streamed_json: 'run_stream, PromptedOutput' },
  },
  'python-openai-agents': {
    ...{ plain: 'Runner.run', structured: 'Runner.run, output_type', tool_loop: 'Runner.run' },
    ...{ tool: 'Runner.run', one_tool: 'Runner.run', named_tool: 'Runner.run', bare_tool: 'Runner.run' },
    ...{ streamed: 'Runner.run_streamed', streamed_tool: 'Runner.run_streamed' },
  },
  'python-llama-index': {
    ...{ plain: 'chat', streamed: 'stream_chat', json: 'chat', tool_loop: 'FunctionAgent, run' },
    ...{ structured: 'as_structured_llm, should_use_structured_outputs', calling: 'as_structured_llm' },
    ...{ tool: 'chat_with_tools', one_tool: 'chat_with_tools', named_tool: 'chat_with_tools' },
    ...{ bare_tool: 'chat_with_tools', streamed_tool: 'stream_chat_with_tools' },
  },
  'python-dspy': {
    ...{ plain: 'Predict, ChatAdapter', streamed: 'streamify, ChatAdapter', structured: 'Predict, JSONAdapter' },
    ...{ marked: 'Predict, ChatAdapter', tool_loop: 'ReAct' },
  },
  'python-haystack': {
    ...{ plain: 'OpenAIChatGenerator, run', streamed: 'OpenAIChatGenerator, run', json: 'OpenAIChatGenerator, run' },
    ...{ structured: 'OpenAIChatGenerator, run', tool: 'OpenAIChatGenerator, run' },
    ...{ one_tool: 'OpenAIChatGenerator, run', named_tool: 'OpenAIChatGenerator, run' },
    ...{ bare_tool: 'OpenAIChatGenerator, run', streamed_tool: 'OpenAIChatGenerator, run', tool_loop: 'Agent, run' },
  },
  'python-smolagents': {
    ...{ plain: 'generate', structured: 'generate', json: 'generate', tool: 'generate', one_tool: 'generate' },
    ...{ named_tool: 'generate', bare_tool: 'generate', tool_loop: 'ToolCallingAgent, run' },
    ...{ streamed: 'generate_stream', streamed_tool: 'generate_stream, agglomerate_stream_deltas' },
  },
  'go-openai-go': {
    ...inLoops('Chat.Completions.New'),
    ...{ plain: 'Chat.Completions.New', structured: 'Chat.Completions.New', json: 'Chat.Completions.New' },
    ...{ tool: 'Chat.Completions.New', one_tool: 'Chat.Completions.New', bare_tool: 'Chat.Completions.New' },
    ...{ streamed: 'Chat.Completions.NewStreaming' },
    streamed_tool: 'Chat.Completions.NewStreaming, AddChunk',
  },
  'go-go-openai': {
    ...inLoops('CreateChatCompletion'),
    ...{ plain: 'CreateChatCompletion', structured: 'CreateChatCompletion', json: 'CreateChatCompletion' },
    ...{ tool: 'CreateChatCompletion', one_tool: 'CreateChatCompletion', bare_tool: 'CreateChatCompletion' },
    ...{ streamed: 'CreateChatCompletionStream', streamed_tool: 'CreateChatCompletionStream' },
  },
  'go-langchaingo': {
    ...{ plain: 'GenerateContent', streamed: 'GenerateContent', json: 'GenerateContent' },
    ...{ structured: 'GenerateFromSinglePrompt', tool: 'GenerateContent', named_tool: 'GenerateContent' },
    ...{ bare_tool: 'GenerateContent', streamed_tool: 'GenerateContent', tool_loop: 'GenerateContent' },
  },
  'java-openai': {
    ...{ plain: 'create', structured: 'create, responseFormat', json: 'create', tool: 'create', one_tool: 'create' },
    ...{ named_tool: 'create', tool_loop: 'create', streamed: 'createStreaming' },
    streamed_tool: 'createStreaming, ChatCompletionAccumulator',
  },
  'java-langchain4j': {
    ...{ plain: 'chat', json: 'chat', tool: 'chat', one_tool: 'chat', bare_tool: 'chat' },
    ...{ streamed: 'OpenAiStreamingChatModel, chat', streamed_tool: 'OpenAiStreamingChatModel, chat' },
    ...{ structured: 'AiServices', tool_loop: 'AiServices' },
  },
  'java-spring-ai': {
    ...{ plain: 'ChatClient, call', streamed: 'ChatClient, stream', tool_loop: 'ChatClient, call' },
    ...{ structured: 'entity, useProviderStructuredOutput', json: 'OpenAiChatModel, call', prompted: 'entity' },
    ...{ tool: 'OpenAiChatModel, call', one_tool: 'OpenAiChatModel, call', named_tool: 'OpenAiChatModel, call' },
    ...{ bare_tool: 'OpenAiChatModel, call', streamed_tool: 'OpenAiChatModel, stream, MessageAggregator' },
  },
  'python-instructor': {
    plain: 'chat.completions.create',
    ...{ tool: instructor('TOOLS'), json: instructor('JSON'), markdown: instructor('MD_JSON') },
    streamed_tool: 'chat.completions.create_partial, TOOLS',
    streamed_json: 'chat.completions.create_partial, JSON',
  },
  instructor: {
    ...{ plain: 'chat.completions.create', streamed: 'chat.completions.create' },
    ...{ tool: instructor('TOOLS'), json: instructor('JSON'), markdown: instructor('MD_JSON') },
    ...{ streamed_tool: instructor('TOOLS'), streamed_json: instructor('JSON') },
  },
};

const inDocument =
  'It stands within the text of a JSON document, which libraries hand to JSON.parse. A model that shows it gives another document than the reference, so there is nothing to compare with.';
const ofProbes = 'A request alone does not lead to expect it: only a probe says';

/** Quirks and outcome classes that no client is asked with, and why. */
export const unmeasured = {
  quirks: {
    content_unreadable: 'It is read as null, so the answer counts as empty: see the class empty_content.',
    control_tokens_in_content:
      'Libraries hand the text on as it came, tokens included, so what users see is what the quirk says.',
    cut_without_length:
      'It comes only in an answer that was cut, which is no right answer, and a client does not look whether the text is whole.',
    duplicate_keys: `${inDocument} Of two members with one name, JSON.parse keeps the last.`,
    integer_beyond_2_53: `${inDocument} JSON.parse rounds the integer to the nearest double.`,
    message_missing: 'It comes only in an answer that was cut, which is no right answer: see the class truncated.',
    stream_in_one_piece: 'A client gets the same events, only later: nothing in them differs.',
    text_damaged:
      'Libraries hand the text on as it came, and a model that shows it gives another one than the reference, so there is nothing to compare with.',
  },
  classes: {
    unexpected_finish_reason: `${ofProbes} which finish_reasons it takes.`,
    rule_violation: `${ofProbes} which rules the values keep.`,
    not_enforced: `${ofProbes} which schema must have been enforced.`,
    ineffective: `${ofProbes} which effect a setting must have.`,
    not_refused: `${ofProbes} which refusal must come.`,
  },
};
