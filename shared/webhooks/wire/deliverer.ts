/** The function that sends the deliveries of a webhook. */
export const DELIVERER = 'consumers/deliver-webhook';
