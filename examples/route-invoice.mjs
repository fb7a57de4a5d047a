// Extracts an invoice with the first model that is verified for it, and checks the answer before anybody relies on it.
//   node examples/route-invoice.mjs https://service.example/v1 reports/latest model-a vendor/model-b
import { chooseForm, loadCapabilities, StaleEvidence } from 'chatspec/capabilities';

const [baseUrl, run, ...models] = process.argv.slice(2);
const key = process.env.CHATSPEC_API_KEY ?? '';

const schema = {
  type: 'object',
  properties: { buyer: { type: 'string' }, total: { type: 'number' } },
  required: ['buyer', 'total'],
  additionalProperties: false,
};
const text = 'Invoice: 3 mechanical keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.';

/** The part of a request body that asks for the fields in this form. */
function asking(form) {
  if (form === 'json_schema') {
    return { response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } } };
  }
  if (form === 'json_object') return { response_format: { type: 'json_object' } };
  const tool = { type: 'function', function: { name: 'save_invoice', strict: true, parameters: schema } };
  const choice = form === 'tool_choice.object' ? { type: 'function', function: { name: 'save_invoice' } } : 'required';
  return { tools: [tool], tool_choice: choice };
}

const isInvoice = (value) => typeof value?.buyer === 'string' && typeof value.total === 'number';

const map = loadCapabilities(run);
for (const model of models) {
  let chosen;
  try {
    chosen = chooseForm(map, { model, need: 'structured' });
  } catch (error) {
    if (!(error instanceof StaleEvidence)) throw error;
    console.error(error.message);
    process.exit(3);
  }
  if (chosen === null) {
    console.error(`${model}: no form that gives fixed fields can be relied on`);
    continue;
  }
  const asked = asking(chosen.form);
  const prompt = `Give the buyer and the total as JSON with the members buyer and total. ${text}`;
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    // The form's own tool_choice holds the name of the tool, so it comes last.
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], ...chosen.request, ...asked }),
  });
  const [choice] = response.ok ? (await response.json()).choices : [];
  const document = choice?.message.tool_calls?.[0]?.function.arguments ?? choice?.message.content;
  let invoice = null;
  try {
    invoice = JSON.parse(document);
  } catch {
    // Not JSON: the check below says so.
  }
  if (choice?.finish_reason !== 'length' && isInvoice(invoice)) {
    console.log(JSON.stringify({ model, form: chosen.form, invoice }));
    process.exit(0);
  }
  console.error(`${model}: ${chosen.form} gave no invoice this time (HTTP ${response.status})`);
}
process.exit(1);
