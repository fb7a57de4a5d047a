export { loadConfig } from './load-config.js';
export { credentialsOf } from './credentials.js';
export { readEnvironment } from './read-environment.js';
