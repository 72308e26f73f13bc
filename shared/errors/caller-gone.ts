/** Nobody reads the answer any longer: work for it ends, and nothing has failed. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has gone.');
    this.name = 'CallerGone';
  }
}
