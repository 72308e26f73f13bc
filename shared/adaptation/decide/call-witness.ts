import { createCallCheck, mayHaveCalls } from '#shared/answers/decide/lint/call-fault.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { TOOLS, toolsCellOf } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { WitnessFinding } from '#shared/witnesses/decide/witness.ts';

/**
 * Looks at the calls in the conversations of rows.
 * @param chat the column of conversations; without one nothing is seen
 * @returns what it says of a canonical line, null for calls that are right or cannot be checked; undefined for a row without calls
 */
export function createCallWitness(
  chat: string | undefined,
): (line: string) => WitnessFinding | null | undefined {
  if (chat === undefined) return () => undefined;
  const check = createCallCheck();
  return (line) => {
    if (!mayHaveCalls(line)) return undefined;
    const cells = readCells(line, [chat, ...TOOLS]);
    const cell = cells.get(chat) ?? '';
    if (!mayHaveCalls(cell)) return undefined;
    const fault = orSilent(() => check(cell, toolsCellOf(cells)));
    return fault === null
      ? null
      : { witness: 'program', says: 'wrong', kind: 'call_invalid', reason: `${fault}.` };
  };
}

/** A text that exhausts the stack is judged by nobody. */
function orSilent(find: () => string | null): string | null {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
