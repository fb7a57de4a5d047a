export { loadConfig } from './load.js';
export { credentialsOf } from './credentials.js';
export { readEnvironment } from './environment.js';
