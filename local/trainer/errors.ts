/** A job that another attempt would not do either; the message is one sentence for its owner, without text of rows. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A loss or a gradient that is no number any more. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';
}
