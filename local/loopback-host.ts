/**
 * A `Host` header of this machine. A page elsewhere whose name was made to lead here sends another one, and would have the browser
 * send it the answers.
 */
export const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
