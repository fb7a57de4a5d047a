/** Thrown into a trial whose next request is not sent any more: what it has judged by then still counts. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}
