import { fileURLToPath } from 'node:url';
import type { Config, ModelConfig } from '../../src/config/config.js';
import { loadSuites } from '../../src/suite/read/load-suites.js';
import { aConfig, aModel, aTarget } from './build.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The suites that ship with the package, loaded as if a config named them. */
export function loadBuiltin(...names: readonly ('core' | 'extended' | 'json-schema-test-suite')[]) {
  const { place } = aTarget();
  return loadSuites(
    names.map((name) => ({ pattern: `builtin:${name}`, place })),
    root,
  );
}

/** A model with the settings of which the built-in suites make axes: three of thinking, and three efforts. */
export function modelWithSettings(key: string): ModelConfig {
  const settings = {
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
  };
  return aModel(key, { settings });
}

/** One target with so many models with settings. */
export function configWithModels(count: number): Config {
  const models = Array.from({ length: count }, (_, index) => modelWithSettings(`demo/model-${index}`));
  return aConfig([aTarget('demo', { baseUrl: 'simulator', limits: { timeoutSeconds: 60 }, models })]);
}
