/** The content of the secret before an operator has stored headers in it. */
const UNSET = 'unset';

/**
 * Parses headers in the form of `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, values percent-encoded
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables).
 * @throws {Error} that says what the secret must be, without what it is
 */
export function parseHeaders(secret: string): Record<string, string> {
  const text = secret.trim();
  if (text === '' || text === UNSET) return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim().toLowerCase();
      const value = decoded(pair.slice(at + 1).trim());
      if (at < 1 || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || value === null) {
        throw new Error(
          'The secret with the headers of telemetry must be name=value, with commas between pairs.',
        );
      }
      return [name, value];
    }),
  );
}

/** Null for what no header can hold. */
function decoded(value: string): string | null {
  try {
    const text = decodeURIComponent(value);
    return /^[\x20-\x7e]*$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
