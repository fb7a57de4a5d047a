export { loadConfig } from './load-config.js';
export { accountsOf } from './accounts.js';
export { withoutSecrets } from './secrets.js';
export { credentialsOf } from './credentials.js';
export { readEnvironment } from './read-environment.js';
