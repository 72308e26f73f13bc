import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a trainer shows to be lent credentials for the attempt whose task has this token: 64 hexadecimal digits. A
 * message that comes again so carries the same one, and nothing has to be kept to check it.
 */
export function attemptSecret(taskToken: string): string {
  return createHmac('sha256', taskToken).update('attempt credentials').digest('hex');
}

/** Whether it is the secret of the attempt; takes the same time whatever is wrong with it. */
export function isAttemptSecret(taskToken: string, given: string): boolean {
  const expected = Buffer.from(attemptSecret(taskToken));
  const found = Buffer.from(given);
  return found.length === expected.length && timingSafeEqual(found, expected);
}
