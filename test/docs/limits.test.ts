import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { loadConfig } from '#infra/config.ts';
import { readDefinition } from '#infra/definitions.ts';
import { repositoryRoot } from '#local/paths.ts';
import { AuditQuery } from '#shared/access/schema/audit.ts';
import { LedgerQuery, UsageQuery } from '#shared/access/schema/credits.ts';
import { BATCH_HOURS_MAX, BATCH_PASSES_MAX } from '#shared/adaptation/decide/batch-jobs.ts';
import { TEXTS_MAX } from '#shared/adaptation/decide/expand-rows.ts';
import { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { SHINGLED_CHARACTERS_MAX } from '#shared/answers/decide/deduplication/shingles.ts';
import {
  ANSWER_VALUES_MAX,
  SCHEMA_RULES_MAX,
  SCHEMA_STEPS_MAX,
} from '#shared/answers/decide/lint/answer-schema.ts';
import { WORDS_CHARACTERS_MAX } from '#shared/answers/decide/lint/degenerate.ts';
import { LintRequest } from '#shared/answers/schema/lint.ts';
import { FIRST_COLUMNS_BYTES_MAX } from '#shared/datasets/decide/columns-room.ts';
import { CreateDatasetSource, ListDatasetsQuery } from '#shared/datasets/schema/dataset.ts';
import { VersionsQuery } from '#shared/datasets/schema/version.ts';
import { LIST_PAGES_MAX, LIST_PAGES_WITHOUT_MATCH_MAX } from '#shared/datasets/store/datasets.ts';
import { DEPLOYMENTS_MAX } from '#shared/deployments/schema/deployment.ts';
import { ROW_MILLISECONDS } from '#shared/evals/ask-for-rows.ts';
import { PARSED_CHARACTERS_MAX } from '#shared/evals/decide/template.ts';
import {
  EVAL_BYTES_MAX,
  EVAL_GRADERS_MAX,
  EVAL_RUNS_MAX,
  EVALS_MAX,
  QUEUED_EVAL_RUNS_MAX,
} from '#shared/evals/manage-evals.ts';
import { OPEN_EVAL_RUNS_MAX, OPEN_PROGRAM_RUNS_MAX } from '#shared/evals/start-queued-runs.ts';
import { SHOWN_CHARACTERS_MAX, SHOWN_COLUMNS_MAX } from '#shared/exports/decide/row-index/stored-row.ts';
import { DiffQuery } from '#shared/exports/schema/diff.ts';
import { RowsQuery } from '#shared/exports/schema/rows.ts';
import { AugmentRequest } from '#shared/growth/schema/augment.ts';
import { InventRequest } from '#shared/growth/schema/invent.ts';
import { CHUNKS_MAX, waitSeconds } from '#shared/ingest/land-rows.ts';
import { AppendRequest } from '#shared/ingest/schema/append.ts';
import { CreateCustomEvalRequest } from '#shared/judging/schema/custom-eval.ts';
import { UPLOAD_CHARACTERS_MAX, WAIT_SECONDS_MAX, WAITS_MAX } from '#shared/mcp/decide/tools.ts';
import { BATCHES_MAX, OPEN_BATCHES_MAX } from '#shared/openai/create-batch.ts';
import { FILE_ROWS_MAX } from '#shared/openai/read-file-rows.ts';
import { PAGE_BYTES_MAX } from '#shared/openai/read-page.ts';
import { ARMS_MAX, SAMPLE_ROWS_MAX } from '#shared/pilots/schema/pilot.ts';
import { IdempotencyKey } from '#shared/platform/schema/common.ts';
import { DEFAULT_PLAN, planLimits } from '#shared/platform/schema/plan.ts';
import { MODEL_BYTES_MAX } from '#shared/publishing/decide/model-files.ts';
import { FAILED_CHARACTERS_MAX } from '#shared/responses/decide/kept-of-failed.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { REVIEW_ROWS_MAX } from '#shared/review/schema/review.ts';
import {
  ALIKE_ROWS_MAX,
  ALIKE_TEXT_CHARACTERS_MAX,
  MENDED_CHARACTERS_MAX,
  VERDICT_ROWS_MAX,
  VERDICTS_AT_ONCE_MAX,
  VERDICTS_MAX,
  VERDICTS_PAGE_MAX,
} from '#shared/review/schema/verdict.ts';
import { ROW_SECONDS_MAX } from '#shared/runs/decide/abandoned-row.ts';
import { PENDING_APPENDS_MAX } from '#shared/runs/decide/ledger/launch.ts';
import { READINGS_AT_ONCE_MAX } from '#shared/runs/reading-places.ts';
import { ReportQuery } from '#shared/runs/schema/report.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { PAGES_PER_ROWS } from '#shared/tabular/adapters/parquet-pages.ts';
import { PROFILED_COLUMNS_MAX } from '#shared/tabular/decide/column-profiler.ts';
import { MAPPING_BYTES_MAX } from '#shared/tabular/schema/column-mapping.ts';
import { CATALOG } from '#shared/training/decide/catalog.ts';
import { READ_BYTES_MAX } from '#shared/training/require-examples.ts';
import { SEEDS_MAX } from '#shared/training/schema/comparison.ts';
import { CreateTrainingRequest, ListTrainingsQuery } from '#shared/training/schema/training.ts';
import { CURVE_POINTS_MAX } from '#shared/training/schema/training-job.ts';
import { ANSWER_CHARACTERS_MAX, ANSWER_PAIRS_MAX } from '#shared/training/schema/training-metrics.ts';
import { ATTEMPTS_MAX, FAILING_DAYS_MAX } from '#shared/webhooks/decide/schedule.ts';
import { OVERLAP_HOURS } from '#shared/webhooks/decide/sign.ts';
import { WEBHOOKS_MAX } from '#shared/webhooks/decide/webhook.ts';
import { CreateWebhookRequest, DeliveriesQuery } from '#shared/webhooks/schema/webhook.ts';
import { readPage, tableRows } from '#test/helpers/pages.ts';

/** The number that a constant of a source file has. */
function constant(file: string, name: string): number {
  const text = readFileSync(join(repositoryRoot, file), 'utf8').replaceAll('MEBIBYTE', '1048576');
  const [, value] = new RegExp(`const ${name}(?:: number)? = ([\\d_ */.+-]+);`).exec(text) ?? [];
  if (value === undefined) throw new Error(`${file} has no number ${name}.`);
  return Function(`return ${value}`)() as number;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** A keyword of the JSON Schema of a field, found by its path. */
function bound(schema: z.ZodType, path: string, keyword: string): number {
  const root: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const variants = (at: JsonSchema): JsonSchema[] => {
    const named = typeof at.$ref === 'string' ? at.$ref.replace('#/$defs/', '') : null;
    const parts = [...((at.anyOf ?? at.oneOf ?? []) as JsonSchema[])];
    if (named !== null) parts.push((root.$defs as Record<string, JsonSchema>)[named] as JsonSchema);
    return [at, ...parts.flatMap(variants)];
  };
  let nodes = variants(root);
  for (const name of path.split('.').filter(Boolean)) {
    nodes = nodes.flatMap(({ properties }) => {
      const field = (properties as Record<string, JsonSchema> | undefined)?.[name];
      return field === undefined ? [] : variants(field);
    });
  }
  const value = nodes.map((each) => each[keyword]).find((each) => each !== undefined);
  if (typeof value !== 'number') throw new Error(`${path} has no ${keyword}.`);
  return value;
}

const count = (value: number): string => value.toLocaleString('en-US');
const bytes = (value: number): string =>
  value % 2 ** 30 === 0 ? `${value / 2 ** 30} GiB` : `${value / 2 ** 20} MiB`;
const time = (seconds: number): string => {
  const [unit, size] = (
    [
      ['day', 172_800, 86_400],
      ['hour', 3600, 3600],
      ['minute', 300, 60],
    ] as const
  ).reduce<[string, number]>(
    (chosen, [name, from, each]) =>
      chosen[0] === 'second' && seconds >= from && seconds % each === 0 ? [name, each] : chosen,
    ['second', 1],
  );
  return `${seconds / size} ${unit}${seconds / size === 1 ? '' : 's'}`;
};

const config = loadConfig((key) => ({ model_id: 'a-model' })[key], {});
const { model } = config;
function pipelineSeconds(name: string): number {
  const pipeline = pipelines.find((each) => each.id === name);
  if (pipeline === undefined) throw new Error(`There is no pipeline ${name}.`);
  return pipeline.timeoutSeconds;
}
/** `value` if it is the largest that `accepts` takes. */
function largest(value: number, accepts: (value: number) => boolean): string {
  return accepts(value) && !accepts(value + 1) ? count(value) : `not ${count(value)}`;
}
const inSeconds = (milliseconds: number): number => milliseconds / 1000;

const EXPECTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    planLimits().map((limit) => [`\`${limit}\``, DEFAULT_PLAN[limit]?.toLocaleString('en-US') ?? 'none']),
  ),

  'Requests of all teams per second (`THROTTLE_REQUESTS_PER_SECOND`)': count(
    config.throttle.requestsPerSecond,
  ),
  'Burst of requests of all teams (`THROTTLE_BURST`)': count(config.throttle.burst),
  'Body of a request': bytes(constant('shared/platform/runtime/read-request.ts', 'BODY_BYTES_MAX')),
  'Fields that one error names': count(constant('shared/platform/errors/from-zod.ts', 'DETAILS_MAX')),
  'Wait of an agent for a record (`wait_seconds`)': time(WAIT_SECONDS_MAX),
  'Waits of agents of a team at once': count(WAITS_MAX),
  'Characters that `upload_rows` takes': count(UPLOAD_CHARACTERS_MAX),
  'Time of a request that is no answer of a model': time(
    constant('shared/platform/runtime/serve.ts', 'HANDLER_SECONDS_MAX'),
  ),
  'Characters of an idempotency key': count(bound(IdempotencyKey, '', 'maxLength')),
  'Days for which an idempotency key is remembered': count(
    constant('shared/access/decide/idempotency/record.ts', 'IDEMPOTENCY_DAYS'),
  ),
  'Page of a list of datasets, versions, trainings, ledger entries or entries of the audit log': largest(
    100,
    (limit) =>
      [ListDatasetsQuery, VersionsQuery, ListTrainingsQuery, LedgerQuery, AuditQuery].every(
        (query) => query.safeParse({ limit: `${limit}` }).success,
      ),
  ),
  'Days of `/credits/usage`': largest(90, (days) => UsageQuery.safeParse({ days: `${days}` }).success),
  'Ledger entries that one `/credits/usage` reads': count(
    constant('functions/api/credits/usage.ts', 'ENTRIES_MAX'),
  ),
  'Rows on a page of `/report`': largest(
    1000,
    (limit) => ReportQuery.safeParse({ limit: `${limit}` }).success,
  ),
  'Rows on a page of `/rows`': largest(200, (limit) => RowsQuery.safeParse({ limit: `${limit}` }).success),
  'Answer with rows': bytes(constant('shared/exports/decide/row-index/fit-page.ts', 'ANSWER_BYTES_MAX')),
  'Characters of a cell on a page of rows': count(SHOWN_CHARACTERS_MAX),
  'Columns of the source on a page of rows': count(SHOWN_COLUMNS_MAX),
  'Characters of a search in rows': count(bound(RowsQuery, 'search', 'maxLength')),
  'Text that one search in rows reads': bytes(constant('shared/exports/wire.ts', 'SEARCH_BYTES_MAX')),
  'Time of one search in rows': time(constant('shared/exports/read-rows.ts', 'SEARCH_SECONDS')),
  'Rows that can be read row by row, with those that a run adds': count(
    constant('shared/exports/decide/row-index/indexable.ts', 'INDEXED_ROWS_MAX'),
  ),
  'Bytes of such rows': bytes(constant('shared/exports/decide/row-index/indexable.ts', 'INDEXED_BYTES_MAX')),
  'Wait for the index of rows': time(constant('shared/exports/export-file.ts', 'WAIT_SECONDS')),
  'Rows on a page of `/diff`': largest(
    200,
    (limit) => DiffQuery.safeParse({ from: '1', to: '2', limit: `${limit}` }).success,
  ),
  'Cells of a row of `/diff`, before or after': count(SHOWN_COLUMNS_MAX),
  'Columns that an answer of `/diff` names': count(
    constant('shared/exports/decide/diff/diff-index.ts', 'COLUMNS_MAX'),
  ),
  'Time for which a failed comparison is reported': time(
    constant('shared/exports/read-diff.ts', 'FAILED_SECONDS'),
  ),
  'Seconds until a revoked key or a new plan takes effect': count(
    constant('infra/api-stack.ts', 'AUTHORIZER_CACHE_SECONDS'),
  ),

  "Bytes of a dataset's files together (`UPLOAD_BYTES_MAX`)": bytes(config.uploadBytesMax),
  'Bytes that a team may have sent and not completed (`UPLOADS_WAITING_BYTES_MAX`)': bytes(
    config.uploadsWaitingBytesMax,
  ),
  'Files of a batch': count(constant('shared/ingest/schema/uploads.ts', 'BATCH_FILES_MAX')),
  'Files of an import': count(bound(CreateDatasetSource, 'files', 'maxItems')),
  'Sheets of an import': count(bound(CreateDatasetSource, 'sheet_names', 'maxItems')),
  'Time for which an upload URL works': time(
    constant('shared/ingest/decide/upload.ts', 'UPLOAD_URL_SECONDS'),
  ),
  'One row': bytes(constant('shared/tabular/decide/limits.ts', 'ROW_BYTES_MAX')),
  'Columns, if their names are short enough': count(
    constant('shared/tabular/decide/limits.ts', 'COLUMNS_MAX'),
  ),
  [`Names and types of all columns, with ${constant('shared/datasets/decide/columns-room.ts', 'ATTRIBUTES_BYTES')} bytes for each and what was found in the first ${PROFILED_COLUMNS_MAX}`]: `${count(FIRST_COLUMNS_BYTES_MAX)} bytes`,
  'A column mapping with its `universal_prompt`, as JSON': `${count(MAPPING_BYTES_MAX)} bytes`,
  'Characters of a `universal_prompt`': count(
    constant('shared/tabular/schema/column-mapping.ts', 'UNIVERSAL_PROMPT_CHARACTERS_MAX'),
  ),
  'Rows of CSV without content between two others': `${count(constant('shared/tabular/decide/csv-reader.ts', 'BLANK_ROWS_MAX'))}, and ${bytes(constant('shared/tabular/decide/csv-reader.ts', 'BLANK_BYTES_MAX'))}`,
  [`Rows of a file in times its size, above ${bytes(constant('shared/tabular/decide/size-ratio.ts', 'FREE_BYTES'))} of rows`]:
    count(constant('shared/tabular/decide/size-ratio.ts', 'RATIO_MAX')),
  [`Bytes that the pages of a Parquet file say they decompress to, in times its size, above ${bytes(constant('shared/tabular/decide/size-ratio.ts', 'FREE_BYTES') * PAGES_PER_ROWS)} of them`]:
    count(constant('shared/tabular/decide/size-ratio.ts', 'RATIO_MAX') * PAGES_PER_ROWS),
  'Nesting of a JSON value': count(constant('shared/tabular/decide/limits.ts', 'NESTING_MAX')),
  'Turns of a conversation': count(constant('shared/tabular/decide/limits.ts', 'TURNS_MAX')),
  'JSON object that holds a table': bytes(
    constant('shared/tabular/decide/json-table-reader.ts', 'TABLE_BYTES_MAX'),
  ),
  "Characters of a dataset's name": count(bound(CreateDatasetSource, 'name', 'maxLength')),
  'Rows of one append in a request': `${count(bound(AppendRequest, 'rows', 'maxItems'))}, and ${bytes(constant('shared/platform/runtime/read-request.ts', 'BODY_BYTES_MAX'))}`,
  'Bytes of cells without a value in the rows of such a request': bytes(
    constant('shared/ingest/append-rows.ts', 'NULLS_BYTES_MAX'),
  ),
  'Objects with rows of a dataset (each append makes one or more)': count(CHUNKS_MAX),
  'Appends that wait for one dataset': count(PENDING_APPENDS_MAX),
  'Longest time between two looks of a waiting append': time(waitSeconds(Number.MAX_SAFE_INTEGER)),
  'Uploads, imports and appends of a team that are read at once': count(READINGS_AT_ONCE_MAX),
  'Time to read uploaded files, or to append rows, with the wait for a place and for active runs': time(
    pipelineSeconds('ingest'),
  ),
  'Time to download and read an import, with the wait for a place': time(pipelineSeconds('import')),
  'Times that the download of an import begins anew':
    /\$downloads >= (\d+) %/.exec(JSON.stringify(readDefinition('import')))?.[1] ?? '',
  'Longest wait that an import grants a provider': time(
    constant('shared/ingest/download-files.ts', 'WAIT_SECONDS_MAX'),
  ),

  'Runs on a dataset at once': '1',
  'Time to work on the rows of a run': time(pipelineSeconds('map-chunks')).replace('1 day', '24 hours'),
  'Time of an expansion with its surroundings': time(pipelineSeconds('expand')),
  'Time of an augmentation with its surroundings': time(pipelineSeconds('augment')),
  'Time of an invention with its surroundings': time(pipelineSeconds('invent')),
  'Time of a run, with its batch jobs': time(pipelineSeconds('adapt')),
  'Time for all batch jobs of a run': `${BATCH_HOURS_MAX} hours`,
  'Passes of batch jobs of a run': count(BATCH_PASSES_MAX),
  'Texts of a row that are translated: turns of a conversation, texts of a list': String(TEXTS_MAX),
  'Time of a row that its worker could not end, most of it in calls of the model': `${ROW_SECONDS_MAX} seconds`,
  'Failed rows of a run': `${constant('shared/runs/decide/stop-reasons.ts', 'FAILED_SHARE_MAX') * 100} %`,
  'Characters of a blueprint': count(bound(AdaptRequest, 'brand_controls.blueprint', 'maxLength')),
  'Smallest `sample_rate`': String(bound(AdaptRequest, 'language_expansion.sample_rate', 'minimum')),
  'Languages or pairs of an expansion': count(
    constant('shared/runs/schema/expansion.ts', 'LANGUAGE_TARGETS_MAX'),
  ),
  'Rows with `deduplication`': count(
    constant('shared/answers/decide/deduplication/duplicate-index.ts', 'DEDUPLICATION_ROWS_MAX'),
  ),
  'Rows of a run that are compared with each other': count(
    constant('shared/adaptation/look-at-rows.ts', 'COMPARED_ROWS_MAX'),
  ),
  'Doubted rows of a version that are listed': count(
    constant('shared/witnesses/decide/weigh-rows.ts', 'DOUBTED_ROWS_MAX'),
  ),
  'Characters of such a row': count(constant('shared/adaptation/look-at-rows.ts', 'COMPARED_CHARACTERS_MAX')),
  'Time to compare the rows of a run': `${constant('shared/adaptation/look-at-rows.ts', 'NEIGHBOURS_SECONDS')} seconds`,
  'Time to run the code of a run': `${constant('shared/adaptation/look-at-rows.ts', 'EXECUTION_SECONDS')} seconds`,
  'Time of the code of one row': `${constant('shared/witnesses/adapters/worker-sandbox.ts', 'JOB_MILLISECONDS') / 1000} second`,
  '`verification_rows`': count(
    bound(AdaptRequest, 'recipe_specification.recipes.verification_rows', 'maximum'),
  ),
  'Rounds of `invent`': count(constant('shared/growth/decide/invent/selection.ts', 'ROUNDS_MAX')),
  'Prompts that `augment` compares': count(
    constant('shared/growth/launch-augmentation.ts', 'AUGMENTATION_PROMPTS_MAX'),
  ),
  'Image of a row': bytes(constant('shared/tabular/decide/images/image-cell.ts', 'IMAGE_BYTES_MAX')),
  'Recorded calls that a batch reads': bytes(
    constant('shared/adaptation/record-calls.ts', 'REUSE_BYTES_MAX'),
  ),
  'Rows that one `/lint` checks': count(bound(LintRequest, 'max_rows', 'maximum')),
  'Time of one `/lint`': time(inSeconds(constant('functions/api/datasets/lint.ts', 'LINT_MILLISECONDS'))),
  'Rules of an `answer_schema`: its keywords, schemas, names and values': count(SCHEMA_RULES_MAX),
  'Steps of an `answer_schema` on one completion': count(SCHEMA_STEPS_MAX),
  'Values of a completion that an `answer_schema` is held against': count(ANSWER_VALUES_MAX),
  'Characters of a text that `contaminated` and `completion_degenerate` read': count(WORDS_CHARACTERS_MAX),
  'Characters of a text that is compared for near-duplicates': count(SHINGLED_CHARACTERS_MAX),
  'Benchmarks of `/lint`': count(bound(LintRequest, 'benchmarks', 'maxItems')),
  'Rows of one kind that `augment` adds': count(bound(AugmentRequest, 'domain_rows', 'maximum')),
  'Characters of `dataset_prompt`': count(bound(InventRequest, 'dataset_prompt', 'maxLength')),
  'Datasets that `combine` joins': count(constant('shared/growth/schema/combine.ts', 'COMBINE_SOURCES_MAX')),
  'Bytes of rows that `combine` joins': bytes(
    constant('shared/growth/check-combination.ts', 'COMBINE_BYTES_MAX'),
  ),
  'Rows that an evaluation samples (`EVALUATION_SAMPLE_ROWS`)': count(config.evaluationSampleRows),
  'Arms of a pilot': count(ARMS_MAX),
  'Rows of a pilot’s sample': count(SAMPLE_ROWS_MAX),
  'Active pilots of a dataset': '1',
  'Seeds of a comparison': count(SEEDS_MAX),
  'Rows that `/review` shows at once': count(REVIEW_ROWS_MAX),
  'Verdicts of one request': `${count(VERDICTS_AT_ONCE_MAX)}, and 4 MiB`,
  'Characters of a mended text': count(MENDED_CHARACTERS_MAX),
  'Rows of a dataset with verdicts': count(VERDICT_ROWS_MAX),
  'Verdicts of a dataset, of all reviewers': count(VERDICTS_MAX),
  'Page of `/verdicts`': count(VERDICTS_PAGE_MAX),
  'Rows that are offered as alike': count(ALIKE_ROWS_MAX),
  'Rows that are looked at for that': count(constant('shared/review/find-alike.ts', 'CANDIDATES_MAX')),
  'Characters of `completion` in an address': count(ALIKE_TEXT_CHARACTERS_MAX),
  'Custom evaluations of a dataset at once': count(constant('shared/judging/custom-evals.ts', 'OPEN_MAX')),
  'Characters of a judge prompt': count(bound(CreateCustomEvalRequest, 'judge_prompt', 'maxLength')),
  'Evals of a team': count(EVALS_MAX),
  'Runs of an eval': count(EVAL_RUNS_MAX),
  'Runs of evals of a team at a time': count(OPEN_EVAL_RUNS_MAX),
  'Of those, with graders of the type `python`': count(OPEN_PROGRAM_RUNS_MAX),
  'Runs of evals of a team that wait for a place': count(QUEUED_EVAL_RUNS_MAX),
  'Seconds of a row of an eval, its answer and all of its graders': count(ROW_MILLISECONDS / 1000),
  'Graders of an eval, those within others counted': count(EVAL_GRADERS_MAX),
  'Rows of a run of an eval': count(FILE_ROWS_MAX),
  'Bytes of an eval as JSON, and of a run without its rows': count(EVAL_BYTES_MAX),
  'Characters of an answer that graders read as JSON (`output_json`)': count(PARSED_CHARACTERS_MAX),
  'Bytes of a page of batches, evals, runs or output items': count(PAGE_BYTES_MAX),
  'Megabytes of datasets that one request of `GET /datasets` looks at for its filters': count(LIST_PAGES_MAX),
  'Megabytes that it, or `GET /v1/files` with a purpose, looks at for the first one': count(
    LIST_PAGES_WITHOUT_MATCH_MAX,
  ),
  'Batches of a team at a time': count(OPEN_BATCHES_MAX),
  'Batches of a team in 30 days': count(BATCHES_MAX),
  'Requests of a batch': count(FILE_ROWS_MAX),
  'Requests of a batch that are sent at once': count(
    constant('shared/openai/work-batch.ts', 'REQUESTS_AT_ONCE'),
  ),
  'Seconds of a request of a batch, with the times that it is sent again': count(
    constant('shared/openai/work-batch.ts', 'REQUEST_MILLISECONDS') / 1000,
  ),
  'Days for which a batch and its files are kept': count(
    constant('shared/openai/store/batches.ts', 'BATCH_DAYS'),
  ),
  'Minutes for which rows of an eval wait for a model that is busy, away or being started, since it last answered':
    count(constant('shared/evals/ask-for-rows.ts', 'WAITING_MILLISECONDS') / 60_000),
  'Time for which a run of an eval may be silent': time(
    inSeconds(constant('shared/evals/decide/records.ts', 'SILENT_MILLISECONDS')),
  ),
  'Model calls of the installation at once (`MODEL_CONCURRENCY`)': count(model.concurrency),
  'Time of one model call (`MODEL_TIMEOUT_SECONDS`)': `${model.timeoutSeconds} seconds`,
  'Silence of the model before a run gives up (`MODEL_OUTAGE_SECONDS`)': `${model.outageSeconds} seconds`,
  'Hours for which a run waits for a used-up quota of the model (`MODEL_QUOTA_WAIT_HOURS`)': `none, ${constant('infra/config.ts', 'QUOTA_WAIT_HOURS_MAX')} at most`,
  'Context of the model in tokens (`MODEL_CONTEXT_TOKENS`)': count(model.contextTokens),

  'Time for which the URL of a download works': time(
    constant('shared/exports/decide/download.ts', 'DOWNLOAD_URL_SECONDS'),
  ),
  'Wait for a format that is built': time(constant('shared/exports/export-file.ts', 'WAIT_SECONDS')),
  'Time for which an image link in a download works': time(
    constant('shared/exports/decide/download.ts', 'IMAGE_URL_SECONDS'),
  ),
  'Time for which the URL of a trained model works': time(
    constant('shared/training/decide/artifact.ts', 'ARTIFACT_URL_SECONDS'),
  ),
  'Time for which the URL of a long row works': time(
    constant('shared/exports/decide/download.ts', 'DOWNLOAD_URL_SECONDS'),
  ),

  'Trainings of a dataset at once': '1',
  '`max_iterations`': count(bound(CreateTrainingRequest, 'max_iterations', 'maximum')),
  '`augmentation_domain_rows`': count(bound(CreateTrainingRequest, 'augmentation_domain_rows', 'maximum')),
  '`augmentation_general_rows`': count(bound(CreateTrainingRequest, 'augmentation_general_rows', 'maximum')),
  'Held-out rows': count(constant('shared/training/decide/hold-out.ts', 'HELD_OUT_ROWS_MAX')),
  'Replies of one conversation that a fine-tuning job trains on': count(
    constant('shared/training/decide/example.ts', 'REPLIES_OF_A_ROW_MAX'),
  ),
  'Rows that the smallest model needs': count(Math.min(...CATALOG.map(({ rows_min }) => rows_min))),
  'Time of a training, or of a comparison': time(pipelineSeconds('train')),
  'Wait for a trainer': time(constant('shared/training/decide/trainer-settings.ts', 'CLAIM_SECONDS')),
  "Points of an iteration's curve": count(CURVE_POINTS_MAX),
  'Answers of an iteration side by side': count(ANSWER_PAIRS_MAX),
  'Characters of such an answer': count(ANSWER_CHARACTERS_MAX),
  'Silence of a trainer': `${constant('shared/training/decide/trainer-settings.ts', 'SILENCE_SECONDS') / 60} minutes`,
  'Bytes of rows that the launch of a training reads': bytes(READ_BYTES_MAX),
  'Bytes of a model that is published': bytes(MODEL_BYTES_MAX),
  'Deployed models of a team': count(DEPLOYMENTS_MAX),
  'Bytes of the weights of a deployed model': `${constant('shared/deployments/decide/base-files.ts', 'WEIGHTS_BYTES_MAX') / 1e9} GB`,
  'Attempts at a deployment in a row that get nowhere': count(
    constant('shared/deployments/advance-deployment.ts', 'FAILURES_MAX'),
  ),
  'Time for which the weights of a deployment are merged': `${constant('shared/deployments/advance-deployment.ts', 'PREPARING_HOURS_MAX')} hours`,
  'Time for which an answer waits until its model is restored or started': time(
    inSeconds(constant('shared/models/adapters/cold-start.ts', 'START_MILLISECONDS')),
  ),

  'Items of `input`': count(bound(CreateResponseRequest, 'input', 'maxItems')),
  '`max_output_tokens`': count(bound(CreateResponseRequest, 'max_output_tokens', 'maximum')),
  'Tools of a request': count(bound(CreateResponseRequest, 'tools', 'maxItems')),
  'Model calls of an answer': count(constant('shared/responses/decide/answer.ts', 'MODEL_CALLS_MAX')),
  'Time of an answer': `${
    constant('infra/constructs/endpoint.ts', 'STREAM_SECONDS') -
    inSeconds(constant('shared/platform/runtime/serve-stream.ts', 'CLOSING_MILLISECONDS'))
  } seconds`,
  'Links in a request, and their images together': `${constant('shared/responses/decide/provider-items.ts', 'LINKS_MAX')}, ${bytes(constant('shared/responses/decide/linked-images.ts', 'LINKED_IMAGES_BYTES_MAX'))}, ${constant('shared/responses/decide/linked-images.ts', 'LINKED_IMAGES_MILLISECONDS') / 1000} seconds`,
  "Nesting of a provider's items and tools": count(
    constant('shared/responses/decide/provider-items.ts', 'PROVIDER_NESTING_MAX'),
  ),
  'Time that a model call goes on after its caller has left': `${constant('shared/responses/decide/answer.ts', 'LINGER_MILLISECONDS') / 1000} seconds`,
  'Characters of an answer and its tool outputs': count(
    constant('shared/responses/decide/draft.ts', 'ANSWER_CHARACTERS_MAX'),
  ),
  'Days for which a stored response is kept': count(
    inSeconds(constant('shared/responses/decide/stored-response.ts', 'STORED_MILLISECONDS')) / 86_400,
  ),
  'Earlier responses of a conversation': count(
    constant('shared/responses/decide/stored-response.ts', 'ANCESTORS_MAX'),
  ),
  'Characters that tools gave for a failed response that is stored': count(FAILED_CHARACTERS_MAX),
  'Bytes of earlier responses that are read before credits are reserved': bytes(
    constant('shared/responses/response-history.ts', 'UNPAID_BYTES_MAX'),
  ),
  'Bytes of a conversation': bytes(
    constant('shared/responses/decide/stored-response.ts', 'HISTORY_BYTES_MAX'),
  ),
  'A stored response as read': bytes(constant('shared/responses/decide/readable.ts', 'READABLE_BYTES_MAX')),
  'Datasets that a request searches': largest(20, (length) => {
    const dataset_ids = Array.from({ length }, (_, n) => `dataset-${n}`);
    return CreateResponseRequest.safeParse({
      model: 'a',
      input: 'b',
      tools: [{ type: 'file_search', dataset_ids }],
    }).success;
  }),
  'Rows that a search finds': count(constant('shared/responses/schema/dataset-search.ts', 'FOUND_ROWS_MAX')),
  'Tools of a tool server': count(constant('shared/responses/schema/listed-tool.ts', 'TOOLS_MAX')),
  'Output of a tool': bytes(
    constant('shared/responses/adapters/mcp/tool-server-client.ts', 'OUTPUT_BYTES_MAX'),
  ),
  'Webhooks of a team': count(WEBHOOKS_MAX),
  'Characters of an address': count(bound(CreateWebhookRequest, 'url', 'maxLength')),
  'Time of a request to a receiver': time(
    inSeconds(constant('shared/webhooks/adapters/post.ts', 'TIMEOUT_MILLISECONDS')),
  ),
  'Attempts of a delivery': count(ATTEMPTS_MAX),
  'Requests to a receiver at once': count(constant('shared/webhooks/deliver-webhook.ts', 'AT_ONCE')),
  'Time that ten requests take': time(
    inSeconds(constant('shared/webhooks/decide/schedule.ts', 'ROUND_MILLISECONDS')),
  ),
  'Days of nothing but failures': count(FAILING_DAYS_MAX),
  'Hours for which a replaced secret signs': count(OVERLAP_HOURS),
  'Days for which a delivery is kept': count(
    constant('shared/webhooks/store/deliveries.ts', 'DELIVERY_DAYS'),
  ),
  'Page of a list of deliveries': largest(
    100,
    (limit) => DeliveriesQuery.safeParse({ limit: `${limit}` }).success,
  ),
};

test('every limit of docs/limits.md is the one of the code', () => {
  const shown = Object.fromEntries(
    tableRows(readPage('docs/limits.md')).map(([label, value]) => [label, value]),
  );

  expect(shown).toEqual(EXPECTED);
});

/** The constants that a default on the page is of, by file. */
const DEFAULTS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  'Page of a list of datasets, versions, trainings, ledger entries or entries of the audit log': [
    ['shared/datasets/decide/listing.ts', 'LIMIT_DEFAULT'],
    ['shared/runs/list-versions.ts', 'VERSIONS_DEFAULT'],
    ['shared/training/decide/listing.ts', 'LIMIT_DEFAULT'],
    ['shared/access/decide/ledger/listing.ts', 'LIMIT_DEFAULT'],
    ['shared/access/decide/audit.ts', 'LIMIT_DEFAULT'],
  ],
  'Days of `/credits/usage`': [['functions/api/credits/usage.ts', 'DAYS_DEFAULT']],
  'Rows on a page of `/report`': [['shared/runs/read-report.ts', 'ROWS_DEFAULT']],
  'Rows on a page of `/rows`': [['shared/exports/read-rows.ts', 'ROWS_DEFAULT']],
  'Rows on a page of `/diff`': [['shared/exports/read-diff.ts', 'ROWS_DEFAULT']],
  'Rows of a pilot’s sample': [['shared/pilots/schema/pilot.ts', 'SAMPLE_ROWS_DEFAULT']],
  'Rows that `/review` shows at once': [['shared/review/read-review.ts', 'ROWS_DEFAULT']],
  'Rows that a search finds': [['shared/responses/respond.ts', 'RESULTS_DEFAULT']],
};

test('every default that docs/limits.md has beside a limit is the one of the code', () => {
  const shown = tableRows(readPage('docs/limits.md')).flatMap(([label = '', , beyond = '']) =>
    [...beyond.matchAll(/the default is ([\d,]+)/g)].map(([, value]) => [label, value]),
  );
  const expected = Object.entries(DEFAULTS).flatMap(([label, constants]) => {
    const values = constants.map(([file, name]) => count(constant(file, name)));
    return [...new Set(values)].map((value) => [label, value]);
  });

  expect(shown).toEqual(expected);
});
