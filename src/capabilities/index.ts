/** The verified capability map in an application: which request form serves a need of which model. No dependencies. */
export {
  chooseForm,
  loadCapabilities,
  needs,
  StaleEvidence,
  type Address,
  type CapabilityEntry,
  type CapabilityMap,
  type ChosenForm,
  type Evidence,
  type Loaded,
  type MapModel,
  type Need,
  type NeedEntry,
  type Setting,
  type Wish,
} from './load-capabilities.js';
