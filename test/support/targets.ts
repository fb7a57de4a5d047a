import type { ModelConfig, TargetConfig } from '../../src/config/config.js';

const place = { file: 'chatspec.yaml', line: 1, column: 1 };

export function modelOf(key: string, changes: Partial<ModelConfig> = {}): ModelConfig {
  const [target = '', ...id] = key.split('/');
  return {
    key,
    target,
    id: id.join('/'),
    as: null,
    concurrency: null,
    price: null,
    vars: {},
    request: {},
    rename: {},
    settings: {},
    control: {},
    retired: null,
    place,
    ...changes,
  };
}

export function targetOf(
  name: string,
  baseUrl: string,
  limits: Partial<TargetConfig['limits']> = {},
  models: readonly ModelConfig[] = [],
): TargetConfig {
  return {
    name,
    baseUrl,
    apiKeyEnv: null,
    headers: {},
    limits: {
      concurrency: 4,
      requestsPerMinute: null,
      tokensPerMinute: null,
      timeoutSeconds: 5,
      retries: 3,
      ...limits,
    },
    models,
    place,
  };
}
