import type { Config, ModelConfig, TargetConfig } from '../../../src/config/config.js';

const place = { file: 'chatspec.yaml', line: 1, column: 1 };

/** A model by its key, `TARGET/ID`. */
export function aModel(key = 'demo/one', changes: Partial<ModelConfig> = {}): ModelConfig {
  const [target = '', ...id] = key.split('/');
  return {
    ...{ key, target, id: id.join('/'), as: null, concurrency: null, price: null, retired: null, place },
    ...{ vars: {}, request: {}, rename: {}, settings: {}, control: {} },
    ...changes,
  };
}

type TargetChanges = Partial<Omit<TargetConfig, 'name' | 'limits'>> & {
  readonly limits?: Partial<TargetConfig['limits']>;
};

/** A target at an address where nothing listens. */
export function aTarget(name = 'demo', { limits = {}, ...changes }: TargetChanges = {}): TargetConfig {
  return {
    ...{ name, baseUrl: 'http://127.0.0.1/v1', apiKeyEnv: null, headers: {}, models: [], place },
    limits: {
      ...{ concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 5, retries: 3 },
      ...limits,
    },
    ...changes,
  };
}

export function aConfig(targets: readonly TargetConfig[] = [], changes: Partial<Config> = {}): Config {
  return {
    ...{ file: 'chatspec.yaml', targets, suites: [], baseline: null, out: 'reports/runs/{stamp}' },
    ...{ budget: { requests: null, tokens: null, cost: null }, maxUnmeasured: 0.1, redact: [] },
    ...changes,
  };
}
