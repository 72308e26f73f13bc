import { CreateEvalRequest, DataSource, type Row } from '#shared/evals/schema/eval.ts';
import type { Grader } from '#shared/evals/schema/grader.ts';
import {
  contentOf,
  type Fields,
  fieldsOf,
  type ImportedEval,
  type NamedModels,
  NotImported,
} from './imported.ts';

/** A value without fields that are null: exports have all fields, requests those that say something. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  const fields = fieldsOf(value);
  if (fields === null) return value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, each]) => (each === null ? [] : [[name, withoutNulls(each)]])),
  );
}

/**
 * An eval as OpenAI's API answers it, with its rows.
 * @param definition the answer of `evals.retrieve`
 * @param lines rows: lines of its data file, or output items of a run
 * @param run the answer of `evals.runs.retrieve`, which says what was asked of the model; null where rows have answers
 * @throws {NotImported} saying what the file lacks, or has that cannot be imported
 */
export function importOpenAi(
  definition: Fields,
  lines: readonly Fields[],
  run: Fields | null,
  { model, judge }: NamedModels,
): ImportedEval {
  const parsed = CreateEvalRequest.safeParse({
    name: definition.name ?? 'Imported',
    ...(fieldsOf(definition.metadata) === null ? {} : { metadata: definition.metadata }),
    data_source_config: configOf(definition.data_source_config),
    testing_criteria: withoutNulls(definition.testing_criteria),
  });
  if (!parsed.success) throw fault('The eval', parsed.error.issues);
  const request = {
    ...parsed.data,
    testing_criteria: parsed.data.testing_criteria.map((grader) => judgedBy(grader, judge)),
  };
  return {
    request,
    runs: [{ name: String(run?.name ?? request.name), data_source: sourceOf(lines.map(rowOf), run, model) }],
  };
}

function fault(
  what: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): NotImported {
  const words = issues.slice(0, 5).map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return new NotImported(`${what} cannot be imported: ${words.join('; ')}`);
}

/** Answers say the schema of what templates name, requests that of a row. */
function configOf(value: unknown): unknown {
  const config = fieldsOf(withoutNulls(value));
  if (config === null || config.type !== 'custom' || config.item_schema !== undefined) {
    if (config === null) return value;
    const { schema: _, ...rest } = config;
    return rest;
  }
  const properties = fieldsOf(fieldsOf(config.schema)?.properties) ?? {};
  return {
    type: 'custom',
    item_schema: fieldsOf(properties.item) ?? { type: 'object' },
    include_sample_schema: properties.sample !== undefined,
  };
}

const judgedBy = (grader: Grader, judge: string | undefined): Grader =>
  judge !== undefined && 'model' in grader ? { ...grader, model: judge } : grader;

/** A line of a data file, `{item, sample}`, or an output item of a run. */
function rowOf(line: Fields, n: number): Row {
  const item = fieldsOf(line.item) ?? fieldsOf(line.datasource_item);
  if (item === null) {
    throw new NotImported(
      `Line ${n + 1} is no row: it needs an item, or the datasource_item of an output item.`,
    );
  }
  const sample = fieldsOf(line.sample);
  const output = Array.isArray(sample?.output) ? (sample.output as { content?: unknown }[]) : null;
  if (sample === null) return { item };
  if (output === null) return { item, sample };
  return {
    item,
    sample: { output_text: output.map(({ content }) => content ?? '').join(''), model: sample.model },
  };
}

function sourceOf(rows: readonly Row[], run: Fields | null, model: string | undefined): DataSource {
  const asked = fieldsOf(run?.data_source);
  if (asked === null || asked.type === 'jsonl') {
    if (model !== undefined) {
      throw new NotImported('A model is named, and nothing says what it is asked: give the run with --run.');
    }
    return { type: 'jsonl', source: contentOf(rows) };
  }
  const parsed = DataSource.safeParse(
    withoutNulls({ ...asked, source: contentOf(rows), ...(model === undefined ? {} : { model }) }),
  );
  if (!parsed.success) throw fault('The run', parsed.error.issues);
  return parsed.data;
}
