import { ChatspecError } from '../../errors/chatspec-error.js';

/** A request whose body holds a credential. It was not sent; the run ends with exit code 2. */
export class SecretInBody extends ChatspecError {
  readonly kind = 'secret_in_body';
  constructor(readonly target: string) {
    super(`a request to ${target} was not sent: its body holds a configured key`, {
      hint: 'take the key out of the suite or the config; chatspec sends it as a header',
    });
  }
}
