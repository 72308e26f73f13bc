export * from './client.ts';
export * from './download.ts';
export * from './errors.ts';
export * from './response-events.ts';
export { isTransient, type RetryOptions, withRetries } from './retry.ts';
export * from './stream-response.ts';
export * from './upload.ts';
export * from './verify-webhook.ts';
export * from './wait.ts';
