import { ChatspecError } from '../errors/chatspec-error.js';

/** A request that holds a credential where none belongs. It was not sent; the run ends with exit code 2. */
export class SecretInBody extends ChatspecError {
  readonly kind = 'secret_in_body';
  constructor(
    readonly target: string,
    part: 'body' | 'headers' = 'body',
  ) {
    super(
      part === 'body'
        ? `a request to ${target} was not sent: its body holds a configured key`
        : `a request to ${target} was not sent: its headers hold a key where none belongs`,
      {
        hint: 'take the key out of the suite or the config; chatspec sends it as a header, and only to its own target',
      },
    );
  }
}
