import type { ModelConfig, TargetConfig } from '../config/config.js';
import { digest } from '../json/digest.js';
import { plain } from './plain.js';

/**
 * The digest of what a config says of the requests to a model: where they go, and what is in them. What changes no
 * request, such as a price, a limit or a place in the file, does not count.
 */
export function entryDigest(
  { baseUrl, apiKeyEnv, headers }: TargetConfig,
  { id, request, rename, vars, settings, control }: ModelConfig,
): string {
  return digest(plain({ baseUrl, apiKeyEnv, headers, id, request, rename, vars, settings, control }));
}
