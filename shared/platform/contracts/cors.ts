/** Response headers that pages may read besides those that are always readable. */
export const CORS_EXPOSED_HEADERS = 'x-request-id, retry-after, x-should-retry, location, allow';

/** Seconds for which browsers cache a preflight; Chromium allows no more. */
export const CORS_SECONDS = 7200;
