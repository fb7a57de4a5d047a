/** Whether a value is a text with a Handlebars template in it. */
export function hasTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{');
}
