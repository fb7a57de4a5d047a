// Asks for an order as JSON: a bounded number of tries with less randomness, then in the next request form.
//   node examples/judge-fallback.mjs https://service.example/v1 model-a
import { judge } from 'chatspec/judge';

const [baseUrl, model] = process.argv.slice(2);
const key = process.env.CHATSPEC_API_KEY ?? '';
const mostTries = 2;

const schema = {
  type: 'object',
  properties: { buyer: { type: 'string' }, total: { type: 'number' } },
  required: ['buyer', 'total'],
  additionalProperties: false,
};
const messages = [
  { role: 'system', content: 'Return only JSON with the members buyer (a text) and total (a number).' },
  { role: 'user', content: 'Order 3 mechanical keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.' },
];

/** The same question in each form, with what must come back beyond what follows from the request. */
const forms = {
  json_schema: {
    asking: { response_format: { type: 'json_schema', json_schema: { name: 'order', strict: true, schema } } },
  },
  tool_call: {
    asking: {
      tools: [{ type: 'function', function: { name: 'save_order', parameters: schema } }],
      tool_choice: 'required',
    },
  },
  // The service promises an object only, so its fields are checked here.
  json_object: { asking: { response_format: { type: 'json_object' } }, expect: { schema } },
};

async function ask(request, expect) {
  const sent = fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  return judge(sent, { request, expect, sentAt: new Date() });
}

/** The outcome of one form after so many tries; each retry is what the judge advises. */
async function tryForm({ asking, expect }) {
  let request = { model, messages, max_tokens: 1024, temperature: 0.7, ...asking };
  for (let tries = 1; ; tries += 1) {
    const outcome = await ask(request, expect);
    if (outcome.passed) return outcome;
    console.error(JSON.stringify({ ...outcome.log, next: outcome.retry.step }));
    if (!outcome.retry.again || tries === mostTries) return outcome;
    await new Promise((resolve) => setTimeout(resolve, 1000 * (outcome.retry.after_seconds ?? 0)));
    request = { ...request, ...outcome.retry.changes };
  }
}

for (const [form, asked] of Object.entries(forms)) {
  const outcome = await tryForm(asked);
  if (outcome.passed) {
    console.log(JSON.stringify({ model, form, order: outcome.value }));
    process.exit(0);
  }
  // Key, network or load: another form would meet the same.
  if (outcome.fault || outcome.reason === 'model_not_found') break;
}
process.exit(1);
