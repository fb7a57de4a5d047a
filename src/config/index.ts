export { loadConfig } from './load-config.js';
export { accountsOf } from './accounts.js';
export { liveKeys } from './live-keys.js';
export { looksLikeKey, withoutSecrets } from './secrets.js';
export { credentialsOf } from './credentials.js';
export { readEnvironment } from './read-environment.js';
