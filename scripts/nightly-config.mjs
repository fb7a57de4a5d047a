// Prints a chatspec config for the address and models in BASE_URL and MODELS; the key stays in its own variable.
import { stringify } from 'yaml';
import { existsSync } from 'node:fs';

const baseUrl = process.env.BASE_URL ?? '';
const models = (process.env.MODELS ?? '').split(/[\s,]+/).filter(Boolean);
if (baseUrl === '' || models.length === 0) {
  console.error('Set BASE_URL (an address that ends in /v1) and MODELS (ids separated by spaces).');
  process.exit(2);
}
const baseline = 'baseline.nightly.yaml';
process.stdout.write(
  stringify({
    targets: { service: { base_url: baseUrl, api_key_env: 'CHATSPEC_API_KEY', models } },
    suites: ['builtin:core'],
    ...(existsSync(baseline) ? { baseline } : {}),
  }),
);
