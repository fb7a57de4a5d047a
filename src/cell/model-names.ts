import { compileGlob } from './cell-pattern.js';

/** The names by which people mean a model. */
export interface NamedModel {
  /** `TARGET/MODEL` */
  readonly key: string;
  /** The name that the service knows. */
  readonly id: string;
  /** The name that it shares with the same model of other targets; null: none. */
  readonly as: string | null;
}

export const modelKey = (target: string, id: string): string => `${target}/${id}`;

/** The id of the model with this key; null: it is a model of another target. */
export const idOfTarget = (target: string, key: string): string | null =>
  key.startsWith(`${target}/`) ? key.slice(target.length + 1) : null;

export const namesOfModel = ({ key, id, as }: NamedModel): readonly string[] =>
  as === null ? [key, id] : [key, id, as];

/** Of models that two targets serve, the name that both have. */
export const commonName = ({ id, as }: Omit<NamedModel, 'key'>): string => as ?? id;

/**
 * The models that a name means, in which `*` stands for any characters: the one with this key, else all that have such
 * a name. The id of a model may be the key of another.
 */
export function modelsMeant<Model extends NamedModel>(models: readonly Model[], name: string): readonly Model[] {
  const exact = models.filter(({ key }) => key === name);
  return exact.length > 0 ? exact : models.filter((model) => namesOfModel(model).some(compileGlob(name)));
}
