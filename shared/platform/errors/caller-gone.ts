/** The caller has disconnected: the work ends, and nothing has failed. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has gone.');
    this.name = 'CallerGone';
  }
}
