import { modeOf, type RowMapping } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

/** What a version delivers of a row; null for what the row has not. */
export interface RowTexts {
  readonly prompt: string | null;
  /** The completion that the row came with. */
  readonly original: string | null;
  readonly completion: string | null;
}

/** Whether the rows of a mapping have one completion each. */
export const hasCompletions = ({ completion, chat, chosen }: ConfiguredColumnMapping): boolean =>
  completion !== undefined || chat !== undefined || chosen === undefined;

/**
 * Reads the texts of rows by their mapping.
 * @returns a function of the cells that a row came with, by column, and of those that a run wrote; null if none did
 */
export function rowTextsReader({ mapping, conversations }: Pick<RowMapping, 'mapping' | 'conversations'>) {
  const reader = materialReader({ mode: modeOf(modeless(mapping)), mapping, conversations });
  return {
    columns: reader.columns,
    read(
      before: ReadonlyMap<string, string | null>,
      after: { prompt: string | null; completion: string | null } | null,
    ): RowTexts {
      const { prompt, completion } = reader.original(before);
      return {
        prompt: after === null ? prompt : after.prompt,
        original: completion,
        completion: after === null ? completion : after.completion,
      };
    },
  };
}

/** The part of a mapping that decides how rows are read. */
function modeless({ chosen: _, rejected: __, ...mapping }: ConfiguredColumnMapping) {
  return mapping;
}
