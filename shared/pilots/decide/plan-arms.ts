import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { requireColumns } from '#shared/answers/decide/row-mapping.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { PilotArm } from '../schema/arm.ts';
import type { PlannedArm } from './request-object.ts';

/**
 * The arms with every default resolved. Rows of other languages are no part of a pilot.
 * @throws {ServiceError} `invalid_request` if two arms do the same to every row, `column_unknown`
 */
export function planArms(
  asked: readonly PilotArm[],
  mapping: ColumnMapping,
  dataset: Pick<DatasetRecord, 'columns' | 'image_column_formats' | 'configured_column_mapping'>,
): PlannedArm[] {
  requireColumns(
    mapping,
    (dataset.columns ?? []).map(({ name }) => name),
  );
  const planned = asked.map((arm, index) => {
    const { name, ...rest } = arm;
    return {
      asked: { ...arm, name: name ?? `Arm ${index + 1}` },
      specification: specificationOf(
        { ...rest, column_mapping: mapping, language_expansion: null },
        mapping,
        { ...dataset, language_expansion: null },
        'adapt',
      ),
    };
  });
  const earlier = new Map<string, number>();
  for (const [index, { specification }] of planned.entries()) {
    const same = canonicalJson(comparable(specification));
    const twin = earlier.get(same);
    if (twin !== undefined) {
      throw invalidField(
        `arms[${index}]`,
        `does the same as arm ${twin + 1} (a pilot drops no repeated rows); change or omit it`,
      );
    }
    earlier.set(same, index);
  }
  return planned;
}

/** What an arm does in the pilot: a sample holds too few rows for repeated ones to be found. */
export function piloted(specification: AdaptationSpecification): AdaptationSpecification {
  return { ...specification, deduplication: false, max_rows: null };
}

/** An arm without what makes no difference to its rows: any category scores all of them, and so on. */
function comparable(specification: AdaptationSpecification): object {
  const { mode, safety, blueprint, prompt_rephrase, lint } = specification;
  return {
    ...piloted(specification),
    safety: safety !== null,
    blueprint: blueprint?.trim() ?? null,
    // Its rules are a set.
    lint: lint?.drop === undefined ? lint : { ...lint, drop: [...new Set(lint.drop)].sort() },
    // An inferred prompt is not rephrased.
    prompt_rephrase: mode !== 'completion_only' && prompt_rephrase,
  };
}
