/** An id that nobody else makes; `crypto.randomUUID` is missing on pages without TLS. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * Gives each intended launch its key. The same request has the same key until it was launched, however often it is sent: a
 * double click, or a repetition after a lost answer, starts one run. Another request, or the same after its launch, is
 * another intention.
 */
export function createLaunchKeys() {
  let intended: { readonly text: string; readonly key: string } | null = null;
  return {
    keyOf(request: object): string {
      const text = JSON.stringify(request);
      if (intended?.text !== text) intended = { text, key: newId() };
      return intended.key;
    },
    launched(): void {
      intended = null;
    },
  };
}
