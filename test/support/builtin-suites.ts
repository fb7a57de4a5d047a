import { fileURLToPath } from 'node:url';
import type { Config, ModelConfig } from '../../src/config/config.js';
import { loadSuites } from '../../src/suite/read/load-suites.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const place = { file: 'chatspec.yaml', line: 1, column: 1 };

/** The suites that ship with the package, as a config that names them would get them. */
export function loadBuiltin(...names: readonly ('core' | 'extended' | 'json-schema-test-suite')[]) {
  return loadSuites(
    names.map((name) => ({ pattern: `builtin:${name}`, place })),
    root,
  );
}

export function modelWithSettings(id: string): ModelConfig {
  return {
    ...{ key: `demo/${id}`, target: 'demo', id, as: null, concurrency: null, price: null, retired: null, place },
    ...{ vars: {}, request: {}, rename: {}, control: {} },
    settings: {
      thinking: {
        default: null,
        enabled: { thinking: { type: 'enabled' } },
        disabled: { thinking: { type: 'disabled' } },
      },
      reasoning_effort: {
        low: { reasoning_effort: 'low' },
        medium: { reasoning_effort: 'medium' },
        high: { reasoning_effort: 'high' },
      },
    },
  };
}

/** One target with so many models, each with three thinking settings and three efforts. */
export function configOf(models: number): Config {
  return {
    ...{ file: 'chatspec.yaml', suites: [], baseline: null, out: '', maxUnmeasured: 0.1, redact: [] },
    budget: { requests: null, tokens: null, cost: null },
    targets: [
      {
        ...{ name: 'demo', baseUrl: 'simulator', apiKeyEnv: null, headers: {}, place },
        limits: { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 60, retries: 3 },
        models: Array.from({ length: models }, (_, index) => modelWithSettings(`model-${index}`)),
      },
    ],
  };
}
