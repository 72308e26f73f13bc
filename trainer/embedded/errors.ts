/** A permanent failure of a job; the message is one sentence for its owner, without text of rows. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A loss or a gradient is not finite. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';
}

/** No credentials are lent for the attempt any more: it has ended, or its message is of another. */
export class AttemptOverError extends Error {
  override readonly name = 'AttemptOverError';
}
