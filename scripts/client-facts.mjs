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
  'python-openai': { ...openai, structured: 'chat.completions.parse', streamed_tool: 'chat.completions.stream' },
  'python-litellm': {
    ...{ plain: 'completion', streamed: 'completion', structured: 'completion', json: 'completion' },
    ...{ tool: 'completion', one_tool: 'completion', bare_tool: 'completion' },
    streamed_tool: 'completion, stream_chunk_builder',
  },
  'python-langchain': {
    ...{ plain: 'invoke', streamed: 'stream' },
    ...{ structured: 'with_structured_output, json_schema', json: 'with_structured_output, json_mode' },
    calling: 'with_structured_output, function_calling',
    ...{ tool: 'bind_tools, invoke', one_tool: 'bind_tools, invoke', bare_tool: 'bind_tools, invoke' },
    streamed_tool: 'bind_tools, stream',
  },
  'go-openai-go': {
    ...{ plain: 'Chat.Completions.New', structured: 'Chat.Completions.New', json: 'Chat.Completions.New' },
    ...{ tool: 'Chat.Completions.New', one_tool: 'Chat.Completions.New', bare_tool: 'Chat.Completions.New' },
    ...{ streamed: 'Chat.Completions.NewStreaming' },
    streamed_tool: 'Chat.Completions.NewStreaming, AddChunk',
  },
  'go-go-openai': {
    ...{ plain: 'CreateChatCompletion', structured: 'CreateChatCompletion', json: 'CreateChatCompletion' },
    ...{ tool: 'CreateChatCompletion', one_tool: 'CreateChatCompletion', bare_tool: 'CreateChatCompletion' },
    ...{ streamed: 'CreateChatCompletionStream', streamed_tool: 'CreateChatCompletionStream' },
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
