import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { classify } from './classify.js';
import { reasons, type Reason } from '../reasons.js';

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const requests = {
  plain: { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }] },
  tools: {
    model: 'm-1',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'function', function: { name: 'order', parameters: schema } }],
    tool_choice: { type: 'function', function: { name: 'order' } },
  },
  thinker: {
    model: 'acme/large-thinking-2507',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'function', function: { name: 'order', parameters: schema } }],
    tool_choice: 'required',
  },
  format: {
    model: 'm-1',
    messages: [{ role: 'user', content: 'Hi' }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  },
  capped: { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 99_999 },
  effort: { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'max' },
} as const satisfies Record<string, Json>;

type Row = readonly [what: string, status: number | null, body: Json, request: keyof typeof requests, reason: Reason];
const anError = (message: string, more: Record<string, Json> = {}): Json => ({ error: { message, ...more } });

const rows: readonly Row[] = [
  // The field is echoed, whatever the language.
  ['Chinese, tool_choice', 400, anError('当前模型不支持 tool_choice 为对象类型'), 'tools', 'tool_choice_unsupported'],
  [
    'Chinese, tool_choice and thinking',
    400,
    anError('思考模式下 tool_choice 不支持设置为 required'),
    'tools',
    'tool_choice_thinking',
  ],
  [
    'German, tool_choice',
    422,
    anError('Der Wert von „tool_choice“ wird nicht unterstützt.'),
    'tools',
    'tool_choice_unsupported',
  ],
  ['German, thinking', 400, anError('tool_choice ist im Denkmodus nicht erlaubt'), 'tools', 'tool_choice_thinking'],
  ['Japanese, tool_choice', 400, anError('tool_choice の値が不正です'), 'tools', 'tool_choice_unsupported'],
  [
    'French, response_format',
    400,
    anError("Le champ response_format n'est pas pris en charge"),
    'format',
    'response_format_unsupported',
  ],
  [
    'Japanese, json_schema',
    400,
    anError('このモデルは json_schema に対応していません'),
    'format',
    'response_format_unsupported',
  ],
  [
    'Chinese, the word json',
    400,
    anError('使用 response_format 时，messages 中必须包含 json 一词'),
    'format',
    'json_word_required',
  ],
  [
    'German, the word json',
    400,
    anError('Die Nachrichten müssen das Wort json enthalten'),
    'format',
    'json_word_required',
  ],
  [
    'Russian, the word json',
    400,
    { error: { message: "Сообщения должны содержать слово 'json'", param: 'messages' } },
    'format',
    'json_word_required',
  ],
  [
    'Korean, the word json',
    400,
    anError("messages에 'json'이라는 단어가 있어야 합니다"),
    'format',
    'json_word_required',
  ],
  [
    'a list of values that holds the word json',
    400,
    { error: { message: "Ждали одно из 'text', 'json', 'image'", param: 'messages' } },
    'format',
    'parameter_rejected',
  ],
  ['French, the word json', 400, anError('Les messages doivent contenir le mot json'), 'format', 'json_word_required'],
  ['Chinese, max_tokens', 400, anError('max_tokens 超出取值范围'), 'capped', 'parameter_rejected'],
  ['Chinese, context', 400, anError('输入内容超过模型最大上下文长度'), 'plain', 'context_length'],
  ['German, context', 400, anError('Die Eingabe überschreitet das Kontextfenster'), 'plain', 'context_length'],
  ['French, effort', 422, anError('reasoning_effort : valeur inconnue'), 'effort', 'parameter_rejected'],
  ['Chinese, no such model', 404, anError('模型不存在'), 'plain', 'model_not_found'],
  ['German, no such model', 404, anError('Das Modell m-1 wurde nicht gefunden'), 'plain', 'model_not_found'],
  ['Japanese, no such model', 404, anError('指定されたモデルが見つかりません'), 'plain', 'model_not_found'],
  ['Chinese, balance under 429', 429, anError('您的账户余额不足，请充值'), 'plain', 'quota'],
  ['Chinese, frequency', 429, anError('请求过于频繁，请稍后再试'), 'plain', 'rate_limited'],
  ['Chinese, load', 429, anError('服务器繁忙，请稍后重试'), 'plain', 'overloaded'],
  ['German, load', 503, anError('Der Dienst ist überlastet'), 'plain', 'overloaded'],
  ['French, key', 400, anError("La clé d'API fournie est invalide"), 'plain', 'auth'],
  ['Chinese, filter', 400, anError('输入内容包含敏感信息'), 'plain', 'content_filtered'],
  ['Chinese, schema', 400, anError('无效的 JSON schema：字段 total'), 'format', 'schema_rejected'],
  // Structured fields are enough, without any words.
  ['param tool_choice', 400, anError('Nope', { param: 'tool_choice' }), 'tools', 'tool_choice_unsupported'],
  [
    'param response_format.type',
    422,
    anError('Nope', { param: 'response_format.type' }),
    'format',
    'response_format_unsupported',
  ],
  [
    'pydantic loc',
    422,
    { detail: [{ loc: ['body', 'tool_choice'], msg: 'str type expected', type: 'type_error.str' }] },
    'tools',
    'tool_choice_unsupported',
  ],
  [
    'pydantic loc of another field',
    422,
    { detail: [{ loc: ['body', 'max_tokens'], msg: 'value is not valid', type: 'x' }] },
    'capped',
    'parameter_rejected',
  ],
  ['param into a schema', 400, anError('Nope', { param: 'tools[0].function.parameters' }), 'tools', 'schema_rejected'],
  ['param model', 400, anError('Nope', { param: 'model' }), 'plain', 'model_not_found'],
  [
    'code context_length_exceeded',
    400,
    anError('Nope', { code: 'context_length_exceeded' }),
    'plain',
    'context_length',
  ],
  ['pointer in the text', 400, anError('error at #/properties/total: bad'), 'format', 'schema_rejected'],
  // Words that mean something else here.
  [
    'thinking only in the id of the model',
    400,
    anError("tool_choice 'required' is not supported by large-thinking-2507"),
    'thinker',
    'tool_choice_unsupported',
  ],
  [
    'thinking only in a list of what is allowed',
    400,
    anError('tool_choice is not supported. Supported parameters: messages, thinking, stream.'),
    'tools',
    'tool_choice_unsupported',
  ],
  ['429 in the text of a 400', 400, anError('max_tokens must not be 429'), 'capped', 'parameter_rejected'],
  ['429 in the text of a 500', 500, anError('worker 429 crashed'), 'plain', 'server_error'],
  [
    'quota in the text of a 400 on a field',
    400,
    anError('max_tokens exceeds the quota', { param: 'max_tokens' }),
    'capped',
    'parameter_rejected',
  ],
  ['invalid JSON is not the word json', 400, anError('messages contain invalid JSON'), 'format', 'parameter_rejected'],
  [
    'context and cap together',
    400,
    anError("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", {
      code: 'context_length_exceeded',
      param: 'messages',
    }),
    'capped',
    'context_length',
  ],
  [
    'a cap that does not fit into the context beside the input',
    400,
    anError('max_tokens is too large: 99999. The maximum context length is 4096'),
    'capped',
    'context_length',
  ],
  [
    'a cap above its own maximum',
    400,
    anError('max_tokens is too large: 99999. At most 4096 completion tokens are supported'),
    'capped',
    'parameter_rejected',
  ],
  [
    'response_format beside tool_choice',
    400,
    anError('response_format cannot be combined with tool_choice'),
    'format',
    'response_format_unsupported',
  ],
  ['tools as such', 400, anError('this model does not support tools'), 'tools', 'parameter_rejected'],
  // Statuses.
  ['401 with anything', 401, anError('the model m-1 does not exist'), 'plain', 'auth'],
  ['402', 402, '', 'plain', 'quota'],
  ['403 of the key', 403, anError('forbidden'), 'plain', 'auth'],
  ['403 of the bill', 403, anError('Insufficient balance', { code: 30001 }), 'plain', 'quota'],
  ['404 of a path', 404, { detail: 'Not Found' }, 'plain', 'unknown'],
  ['404 of a model', 404, anError('No such thing: m-1'), 'plain', 'model_not_found'],
  ['404 of a router', 404, anError('No endpoints found that support tool use'), 'tools', 'parameter_rejected'],
  ['408', 408, '', 'plain', 'overloaded'],
  ['413', 413, '<html><title>413 Request Entity Too Large</title></html>', 'plain', 'gateway'],
  ['413 without a body', 413, '', 'plain', 'gateway'],
  ['413 of an API gateway', 413, { message: 'Request Too Long' }, 'format', 'gateway'],
  ['413 of a body parser', 413, anError('request entity too large', { type: 'entity.too.large' }), 'tools', 'gateway'],
  [
    '413 as a type',
    413,
    anError('Request exceeds the maximum size', { type: 'request_too_large' }),
    'format',
    'gateway',
  ],
  ['400 about the body', 400, anError('Request body is too large: the limit is 1048576 bytes'), 'format', 'gateway'],
  ['500 of a body parser', 500, 'PayloadTooLargeError: request entity too large', 'plain', 'gateway'],
  ['413 about tokens', 413, anError("This model's maximum context length is 8192 tokens"), 'plain', 'context_length'],
  ['a schema that is too large', 400, anError('Invalid schema: schema is too large'), 'format', 'schema_rejected'],
  [
    '413 that counts tokens',
    413,
    anError('The prompt has 9000 tokens; the maximum is 8000 tokens, too large for the context'),
    'plain',
    'context_length',
  ],
  [
    '413 of a rate',
    413,
    anError('Request too large on tokens per minute', { code: 'rate_limit_exceeded' }),
    'plain',
    'rate_limited',
  ],
  ['429 bare', 429, '', 'plain', 'rate_limited'],
  [
    '429 per day',
    429,
    anError('quota', { details: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }),
    'plain',
    'quota',
  ],
  ['500 bare', 500, '', 'plain', 'server_error'],
  [
    '500 on tool_choice',
    500,
    anError("unsupported tool_choice: {'type': 'function'}"),
    'tools',
    'tool_choice_unsupported',
  ],
  ['500 HTML', 500, '<html><h1>Internal Server Error</h1></html>', 'plain', 'server_error'],
  ['502 HTML', 502, '<html><title>502 Bad Gateway</title></html>', 'plain', 'gateway'],
  ['503 HTML', 503, '<!doctype html><title>Service Unavailable</title>', 'plain', 'gateway'],
  ['503 JSON', 503, anError('try later'), 'plain', 'overloaded'],
  ['503 without a body', 503, '', 'format', 'overloaded'],
  ['503 that echoes a field', 503, anError('response_format json_schema: service unavailable'), 'format', 'overloaded'],
  ['503 of a rate', 503, anError('Rate limit reached', { code: 'rate_limit_exceeded' }), 'plain', 'rate_limited'],
  ['503 with another status inside', 503, { error: { code: 400, message: 'no' } }, 'plain', 'overloaded'],
  ['529', 529, anError('Overloaded', { type: 'overloaded_error' }), 'plain', 'overloaded'],
  ['529 HTML', 529, '<html><title>529</title></html>', 'plain', 'gateway'],
  ['520 HTML', 520, '<html>cloudflare</html>', 'plain', 'gateway'],
  ['529', 529, anError('Overloaded', { type: 'overloaded_error' }), 'plain', 'overloaded'],
  ['400 without a word', 400, '', 'plain', 'unknown'],
  // An error inside a 200.
  ['inside, by code', null, anError('oops', { code: 429 }), 'plain', 'rate_limited'],
  [
    'inside, by inner JSON',
    null,
    anError('Upstream says {"error":{"message":"no","param":"tool_choice","code":400}}'),
    'tools',
    'tool_choice_unsupported',
  ],
  ['inside, no words', null, { error: {} }, 'plain', 'unknown'],
  // A bill or a longer window in words, on any status.
  ['a key limit', 403, anError('Key limit exceeded (total limit). Manage it at your keys'), 'plain', 'quota'],
  ['a daily budget', 403, anError('Daily token budget reached for this key'), 'plain', 'quota'],
  ['a usage cap', 403, anError('Hard limit reached: monthly usage cap of $50'), 'plain', 'quota'],
  ['credits, not enough', 400, anError('You do not have enough credits to run this request.'), 'plain', 'quota'],
  [
    'credits, with a cap as the way around',
    400,
    anError('This request requires more credits, or fewer max_tokens. You can only afford 12.'),
    'capped',
    'quota',
  ],
  ['a past due account', 403, anError('Your account is past due'), 'plain', 'quota'],
  ['Italian credit', 403, anError('Il credito residuo non è sufficiente.'), 'plain', 'quota'],
  ['Dutch credit', 403, anError('Je tegoed is op.'), 'plain', 'quota'],
  ['French monthly quota', 400, anError('Vous avez dépassé votre quota mensuel'), 'plain', 'quota'],
  ['Spanish monthly quota', 400, anError('Ha superado su cuota mensual'), 'plain', 'quota'],
  ['Japanese monthly limit', 403, anError('今月の利用上限に達しました。'), 'plain', 'quota'],
  ['a quota of minutes', 403, anError('Rate limit exceeded: quota for the minute used up'), 'plain', 'rate_limited'],
  // Moderation in words.
  ['hate speech', 403, anError('Request denied: hate speech detected'), 'plain', 'content_filtered'],
  ['violence, free of charge', 400, anError('It contains violence. 0 credits used.'), 'plain', 'content_filtered'],
  ['German usage policy', 403, anError('Verstoß gegen unsere Nutzungsrichtlinien'), 'plain', 'content_filtered'],
  ['Japanese safety policy', 400, anError('安全ポリシーに違反しています。'), 'plain', 'content_filtered'],
  ['Korean safety policy', 400, anError('안전 정책 위반으로 차단되었습니다'), 'plain', 'content_filtered'],
  ['Russian content', 400, anError('Обнаружен недопустимый контент'), 'plain', 'content_filtered'],
  ['Portuguese safety policy', 400, anError('Bloqueado pela política de segurança'), 'plain', 'content_filtered'],
  ['a flagged account', 403, anError('Your account was flagged because of an unpaid balance'), 'plain', 'quota'],
  [
    'an unsupported parameter of the model',
    400,
    anError('unsupported model parameter: seed'),
    'plain',
    'parameter_rejected',
  ],
  ['terms of a suspended account', 403, anError('Suspended for terms of service violation'), 'plain', 'auth'],
  // A machine in front that answers in words.
  ['a firewall', 403, { message: 'Request blocked by AWS WAF' }, 'plain', 'gateway'],
  ['a size in bytes', 400, { message: 'Request must be smaller than 6291456 bytes' }, 'format', 'gateway'],
  // The schema, a member of the form, the window, the model.
  ['enum values', 400, anError('Enum values must not exceed 500 in total'), 'format', 'schema_rejected'],
  [
    'enum values of a field',
    400,
    anError('reasoning_effort: enum values are low, high'),
    'tools',
    'parameter_rejected',
  ],
  ['a French schema', 400, anError('Le schéma dépasse la profondeur maximale'), 'format', 'schema_rejected'],
  [
    'a member that is none',
    400,
    anError("'strict' is not a member of response_format; put it in json_schema"),
    'format',
    'parameter_rejected',
  ],
  ['prompt and cap', 400, anError('prompt tokens + max_tokens > 4096'), 'capped', 'context_length'],
  [
    'cap and prompt',
    400,
    anError('max_tokens 99999 + 30 prompt tokens is more than the 32768-token window'),
    'capped',
    'context_length',
  ],
  ['an unsupported model', 400, anError('The requested model is not supported.'), 'plain', 'model_not_found'],
  ['a model not in the list', 400, anError("model 'm-1' is not in the list"), 'plain', 'model_not_found'],
  ['an unsupported model, Chinese', 400, anError('不支持的模型：m-1'), 'plain', 'model_not_found'],
  ['a parameter of the model, Chinese', 400, anError('不支持的模型参数 top_p'), 'plain', 'parameter_rejected'],
  ['an unknown model, Italian', 400, anError('Il modello m-1 non esiste'), 'plain', 'model_not_found'],
];

describe('classify', () => {
  test.each(rows)('%s', (_what, status, body, request, reason) => {
    const text = typeof body === 'string' || status === null ? body : JSON.stringify(body);
    expect(classify({ status, headers: {}, body: text, request: requests[request] }).reason).toBe(reason);
  });

  test('quotes the service in one line', () => {
    const { detail } = classify({
      status: 400,
      headers: {},
      body: '{"error":{"message":"a\\nb","code":"x9"}}',
      request: null,
    });
    expect(detail).toBe('HTTP 400: a b (x9)');
  });

  test('distinguishes arguments in the history from generated ones', () => {
    const body = '{"error":{"message":"Failed to parse tool call arguments as JSON"}}';
    const history = { messages: [{ role: 'assistant', tool_calls: [] }] };
    expect(classify({ status: 500, headers: {}, body, request: requests.tools }).reason).toBe('model_output_rejected');
    expect(classify({ status: 500, headers: {}, body, request: history }).reason).not.toBe('model_output_rejected');
  });

  test('gives a reason and one line for anything', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 100, max: 599 })),
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.jsonValue() as fc.Arbitrary<Json>),
        fc.jsonValue() as fc.Arbitrary<Json>,
        (status, body, request) => {
          const { reason, detail } = classify({ status, headers: {}, body, request });
          expect(reasons).toContain(reason);
          expect(detail).not.toContain('\n');
        },
      ),
    );
  });
});
