export { loadConfig } from './load-config.js';
export { liveKeyMasker } from './live-keys.js';
export { withoutSecrets } from './secrets.js';
export { credentialsOf } from './credentials.js';
export { readEnvironment } from './read-environment.js';
