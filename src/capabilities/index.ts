/** The verified capability map in an application: which request form serves a need of which model. No dependencies. */
export { loadCapabilities, type Loaded } from './load-capabilities.js';
export { chooseForm, StaleEvidence, type ChosenForm, type Wish } from './load-capabilities.js';
export {
  needs,
  type CapabilityEntry,
  type CapabilityMap,
  type Evidence,
  type MapModel,
  type Need,
  type NeedEntry,
  type Setting,
} from './load-capabilities.js';

export type { Address } from './load-capabilities.js';
