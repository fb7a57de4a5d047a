/** A request whose body holds a credential. It was not sent; the run ends with exit code 2. */
export class SecretInBody extends Error {
  override readonly name = 'SecretInBody';
  constructor(readonly target: string) {
    super(`a request to ${target} was not sent: its body holds a configured key`);
  }
}
