export { loadConfig, type LoadedConfig } from './load.js';
export { credentialsOf, type Credentials, type Environment } from './credentials.js';
export { readEnvironment } from './environment.js';
