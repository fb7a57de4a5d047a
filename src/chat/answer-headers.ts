import table from './answer-headers.json' with { type: 'json' };

const kept = new RegExp(`^(?:${table.kept.join('|')})$`);

/**
 * Whether a header of an answer is recorded. Cookies, organisation ids and anything else about the user of the service
 * are not.
 * @param name in lower case
 */
export const isRecordedHeader = (name: string): boolean => kept.test(name);

/** The one of several deployments that answered, as a gateway's headers say; null where they do not. */
export function deploymentIn(headers: Readonly<Record<string, string>>): string | null {
  const name = table.deployment.find((one) => (headers[one] ?? '') !== '');
  return name === undefined ? null : `${name} ${headers[name] ?? ''}`;
}
