/** Headers that propagate a trace to the next service (W3C Trace Context). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** A distributed trace, as received by this service. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the caller's span. */
  readonly parentId: string;
  /** Whether the trace is recorded, and whether its id is random, as bits. */
  readonly flags: number;
  readonly state: string | null;
}

/** Known flags; others are not propagated (level 2, §3.2.2.5). */
const FLAGS = 0b11;
const STATE_CHARACTERS_MAX = 512;
const STATE_MEMBERS_MAX = 32;

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
/** `key=value`; the key of a system, or of a tenant of one. */
const MEMBER =
  /^[a-z0-9][a-z0-9_\-*/]{0,240}(@[a-z][a-z0-9_\-*/]{0,13})?=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,256}$/;

/**
 * The trace of these headers; null if `traceparent` is invalid or absent. Future versions are parsed like the first,
 * whose format they must start with. An invalid `tracestate` is dropped.
 */
export function parseTraceContext({
  traceparent,
  tracestate,
}: {
  readonly traceparent?: string | null | undefined;
  readonly tracestate?: string | null | undefined;
}): TraceContext | null {
  const [, version, traceId = '', parentId = '', flags = '', more] =
    PARENT.exec(traceparent?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (ZEROS.test(traceId) || ZEROS.test(parentId)) return null;
  return {
    traceId,
    parentId,
    flags: Number.parseInt(flags, 16) & FLAGS,
    state: parseState(tracestate ?? ''),
  };
}

/** A longer list is truncated at its end: the newest members come first. */
function parseState(text: string): string | null {
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  if (members.length > STATE_MEMBERS_MAX || !members.every((member) => MEMBER.test(member))) return null;
  while (members.join(',').length > STATE_CHARACTERS_MAX) members.pop();
  return members.length === 0 ? null : members.join(',');
}

/**
 * The headers that propagate a trace to the next service. @param spanId 16 hexadecimal digits: the span of the request
 */
export function toTraceHeaders({ traceId, flags, state }: TraceContext, spanId: string): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}
