export type { Json, JsonArray, JsonObject } from '../json/json.js';
export type { Match } from './faults/overrides.js';
export type { LoggedRequest } from './http/request-log.js';
export type { HttpResponse, SeenAnswer } from './http/response.js';
export type { SeenRequest } from './http/service.js';
export type { ProfileInput, WrittenProfile } from './profiles/load-profiles.js';
export type {
  CallsWith,
  Do,
  Fault,
  Profile,
  Respond,
  SchemaPlace,
  TextDamage,
  ThinkingTraits,
  Traits,
  When,
} from './profiles/profile.js';
export {
  simulate,
  startSimulator,
  type OverrideOptions,
  type SimulateOptions,
  type Simulator,
  type SimulatorOptions,
  type SimulatorStats,
} from './simulator.js';
