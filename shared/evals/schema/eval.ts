import * as z from 'zod';
import { Metadata } from '#shared/openai/schema/fine-tuning.ts';
import { listOf, PageQuery } from '#shared/openai/schema/page.ts';
import { count, jsonObject, text } from '#shared/platform/schema/common.ts';
import { Grader, GraderResult, TemplateMessage } from './grader.ts';

/** Evals, their runs and what each row came to, as OpenAI's clients write and read them. */

export const EVAL_ID = 'eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f';
export const RUN_ID = 'evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60';
const ITEM_ID = 'outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0';
const Seconds = z.int().min(0).meta({ example: 1_795_341_600 });
const Name = z.string().min(1).max(200);
const Anything = jsonObject('must be an object');

/** Rows that a request brings with it; those of files are as many as a run takes. */
const CONTENT_ROWS_MAX = 10_000;

const DataSourceConfig = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('custom').describe('Kind of the source: rows of any form.'),
      item_schema: Anything.meta({
        example: { type: 'object' },
      }).describe('JSON Schema of a row. It is shown again; rows are not held against it.'),
      include_sample_schema: z
        .boolean()
        .optional()
        .describe('Whether the schema that is shown has the answer too.'),
    }),
    z.strictObject({
      type: z.literal('logs').describe('Kind of the source: stored responses of the team.'),
      metadata: Metadata.describe(
        'Metadata that responses need to have, beside that of a run: up to 16 texts by name.',
      ),
    }),
  ],
  {
    error:
      'must be custom or logs: chat completions are not stored here. Ask the model with POST /api/v1/responses and store, create the eval with logs, and name a data source of the type responses in its runs',
  },
);

export const CreateEvalRequest = z
  .strictObject({
    name: Name.optional().meta({ example: 'Capitals' }).describe('Name of the eval, up to 200 characters.'),
    metadata: Metadata,
    data_source_config: DataSourceConfig.describe('What the rows of its runs are.'),
    testing_criteria: z
      .array(Grader)
      .min(1)
      .max(20)
      .describe('Graders, 1 to 20. A row passes if it passes with each of them.'),
  })
  .meta({ id: 'CreateEvalRequest' });
export type CreateEvalRequest = z.infer<typeof CreateEvalRequest>;

export const UpdateEvalRequest = z
  .strictObject({
    name: Name.optional().meta({ example: 'Capitals' }).describe('New name, up to 200 characters.'),
    metadata: Metadata,
  })
  .meta({ id: 'UpdateEvalRequest' });

export const Eval = z
  .object({
    id: text(EVAL_ID).describe('Id of the eval.'),
    object: z.literal('eval').describe('Kind of the object.'),
    created_at: Seconds.describe('Time of creation, in seconds since 1970.'),
    name: text('Capitals').describe('Name of the eval.'),
    metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ example: {} })
      .describe('Metadata of the eval; null without any.'),
    data_source_config: z
      .looseObject({
        type: z.enum(['custom', 'logs', 'stored_completions']).describe('Kind of the source.'),
        schema: Anything.meta({ example: { type: 'object' } }).describe(
          'JSON Schema of what templates name.',
        ),
      })
      .describe('What the rows of its runs are.'),
    testing_criteria: z.array(Grader).describe('Graders.'),
  })
  .meta({ id: 'Eval' });
export type Eval = z.infer<typeof Eval>;

export const Row = z.strictObject({
  item: Anything.meta({ example: { question: 'Capital of France?', answer: 'Paris' } }).describe('The row.'),
  sample: Anything.nullish()
    .meta({ example: { output_text: 'Paris' } })
    .describe('An answer to it, whose `output_text` graders see.'),
});
export type Row = z.infer<typeof Row>;

const FileContent = z.strictObject({
  type: z.literal('file_content').describe('Kind of the source: rows of the request.'),
  content: z.array(Row).min(1).max(CONTENT_ROWS_MAX).describe('Rows, 1 to 10,000.'),
});
const FileId = z.strictObject({
  type: z.literal('file_id').describe('Kind of the source: a file.'),
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ example: 'file-3f0c5a522c0a4c538f4e0f6f1d5b8a10' })
    .describe('Id of a file, or of a dataset. Lines are `{"item": …, "sample": …}`, or rows themselves.'),
});
const StoredResponses = z.strictObject({
  type: z.literal('responses').describe('Kind of the source: stored responses of the team.'),
  created_after: z.int().nullish().describe('Only those of this time or later, in seconds since 1970.'),
  created_before: z.int().nullish().describe('Only those of this time or earlier, in seconds since 1970.'),
  model: z.string().max(256).nullish().describe('Only those of this model.'),
  metadata: Metadata.describe('Only those with these entries of metadata: up to 16 texts by name.'),
  limit: z.int().min(1).max(10_000).nullish().describe('Only so many, the newest: 1 to 10,000.'),
});

const RowsSource = z.discriminatedUnion('type', [FileContent, FileId], {
  error:
    'must be file_content or file_id: chat completions are not stored here. Store responses, and name them in a data source of the type responses',
});

const Template = z.strictObject({
  type: z.literal('template').describe('Kind of the input: messages with templates.'),
  template: z.array(TemplateMessage).min(1).max(50).describe('Messages, 1 to 50.'),
});
const ItemReference = z.strictObject({
  type: z.literal('item_reference').describe('Kind of the input: messages of the row.'),
  item_reference: z
    .string()
    .max(200)
    .regex(/^item\.[A-Za-z0-9_.$-]+$/, 'must be a path such as item.input')
    .describe('Path of the messages, such as `item.input`, up to 200 characters.'),
});
const InputMessages = z.union([Template, ItemReference]);

const sampling = {
  temperature: z.number().min(0).max(2).nullish().describe('Sampling temperature, 0 to 2.'),
  top_p: z.number().gt(0).max(1).nullish().describe('Nucleus sampling, above 0 and at most 1.'),
  max_completion_tokens: z.int().min(1).max(1_000_000).nullish().describe('The most tokens of an answer.'),
  max_completions_tokens: z.int().min(1).max(1_000_000).nullish().describe('The same.'),
  reasoning_effort: z.string().max(32).nullish().describe('How much the model reasons.'),
  seed: z.int().nullish().describe('Shown again. Models answer without one, so that runs differ.'),
  // Other tools can hold credentials, which a run would store and show.
  tools: z
    .array(Anything.refine((tool) => tool.type === 'function', 'must be a function'))
    .max(128)
    .nullish()
    .describe('Functions that the model may call, up to 128.'),
};

const Model = z.string().min(1).max(256).meta({ example: 'qwen3-4b' });

export const DataSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('jsonl').describe('Rows that have their answers, or need none.'),
    source: RowsSource.describe('Where the rows are.'),
  }),
  z.strictObject({
    type: z.literal('completions').describe('Rows that a model answers.'),
    source: RowsSource.describe('Where the rows are.'),
    model: Model.describe('Model that answers.'),
    input_messages: InputMessages.describe('What the model is asked.'),
    sampling_params: z
      .strictObject({
        ...sampling,
        response_format: Anything.nullish().describe('Form of the answer, as for chat completions.'),
      })
      .nullish()
      .describe('How the model answers.'),
  }),
  z.strictObject({
    type: z.literal('responses').describe('Rows that a model answers, or responses that are stored.'),
    source: z
      .discriminatedUnion('type', [FileContent, FileId, StoredResponses])
      .describe('Where the rows are.'),
    model: Model.nullish().describe(
      'Model that answers. Without one, stored responses are graded as they are.',
    ),
    input_messages: InputMessages.nullish().describe('What the model is asked. Default: `item.input`.'),
    sampling_params: z
      .strictObject({
        ...sampling,
        text: z
          .strictObject({ format: Anything.optional().describe('Form of the answer, as for responses.') })
          .nullish()
          .describe('Form of the answer.'),
      })
      .nullish()
      .describe('How the model answers.'),
  }),
]);
export type DataSource = z.infer<typeof DataSource>;

export const CreateEvalRunRequest = z
  .strictObject({
    name: Name.optional().meta({ example: 'Nightly' }).describe('Name of the run, up to 200 characters.'),
    metadata: Metadata,
    data_source: DataSource.describe('The rows, and what answers them.'),
  })
  .meta({ id: 'CreateEvalRunRequest' });
export type CreateEvalRunRequest = z.infer<typeof CreateEvalRunRequest>;

const Interval = z.tuple([z.number(), z.number()]);
const Share = (example: number) => z.number().min(0).max(1).meta({ example });

/** How often a grader is wrong about rows that people have looked at. */
const ErrorRate = z.object({
  rows: count(40).describe('Rows with that verdict.'),
  wrong: count(2).describe('Those that the grader sees otherwise.'),
  interval: Interval.meta({ example: [0.0138, 0.1651] }).describe('95 % interval of the share (Wilson).'),
});

export const CriterionResult = z
  .object({
    testing_criteria: text('matches').describe('Name of the grader.'),
    passed: count(88).describe('Rows that pass.'),
    failed: count(12).describe('Rows that do not.'),
    errored: count(0).describe('Those of them that the grader could not grade.'),
    pass_rate: Share(0.88).nullable().describe('Share of the graded rows that pass; null without any.'),
    interval: Interval.nullable()
      .meta({ example: [0.8019, 0.93] })
      .describe('95 % interval of the pass rate (Wilson); null without graded rows.'),
    mean_score: z.number().nullable().meta({ example: 0.88 }).describe('Mean score of the graded rows.'),
    judge_error: z
      .object({
        passes_wrong: ErrorRate.describe('Rows that pass, and that people say are wrong.'),
        fails_right: ErrorRate.describe('Rows that fail, and that people say are right.'),
        corrected_pass_rate: Share(0.86)
          .nullable()
          .describe(
            'The pass rate, corrected for these errors; null if the grader is no better than chance.',
          ),
      })
      .nullable()
      .meta({ example: null })
      .describe(
        'How far the grader agrees with the verdicts of people on the rows of a file; null if there are none, or a model answered.',
      ),
    deciding_items: z
      .array(z.string())
      .meta({ example: [ITEM_ID] })
      .describe(
        'Output items that decided: of the outcome that is rarer, those nearest to the threshold first, up to 20.',
      ),
  })
  .meta({ id: 'EvalCriterionResult' });
export type CriterionResult = z.infer<typeof CriterionResult>;

const ModelUsage = z.object({
  model_name: text('qwen3-4b').describe('Id of the model.'),
  invocation_count: count(100).describe('Calls.'),
  prompt_tokens: count(4200).describe('Tokens that it read.'),
  completion_tokens: count(900).describe('Tokens that it wrote.'),
  cached_tokens: count(0).describe('Those that it had read before.'),
  total_tokens: count(5100).describe('Tokens.'),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

const RunStatus = z.enum(['queued', 'in_progress', 'completed', 'canceled', 'failed']);

const ApiError = z.object({
  code: z.string().meta({ example: '' }).describe('Stable code; empty where nothing failed.'),
  message: z.string().meta({ example: '' }).describe('What failed; empty where nothing did.'),
});

export const EvalRun = z
  .object({
    id: text(RUN_ID).describe('Id of the run.'),
    object: z.literal('eval.run').describe('Kind of the object.'),
    eval_id: text(EVAL_ID).describe('Id of its eval.'),
    created_at: Seconds.describe('Time of creation, in seconds since 1970.'),
    name: text('Nightly').describe('Name of the run.'),
    metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ example: {} })
      .describe('Metadata of the run; null without any.'),
    status: RunStatus.meta({ example: 'completed' }).describe('Status of the run.'),
    model: z.string().meta({ example: '' }).describe('Model that answers; empty where none does.'),
    data_source: z
      .looseObject({ type: text('jsonl').describe('Kind of the source.') })
      .meta({ example: { type: 'jsonl', source: { type: 'file_content', content: [] } } })
      .describe(
        'The source as it was sent, with the metadata of its eval; rows of the request are not shown again.',
      ),
    error: ApiError.describe('Why the run failed.'),
    report_url: text(`/api/v1/evals/${EVAL_ID}/runs/${RUN_ID}/output_items`).describe(
      'Path of its output items.',
    ),
    result_counts: z
      .object({
        total: count(100).describe('Rows.'),
        passed: count(88).describe('Rows that pass with each grader.'),
        failed: count(12).describe('Rows that do not.'),
        errored: count(0).describe('Rows that were not answered or graded.'),
      })
      .describe('Rows by outcome, so far.'),
    per_testing_criteria_results: z
      .array(CriterionResult)
      .describe('What each grader found; empty until the end.'),
    per_model_usage: z.array(ModelUsage).describe('What models read and wrote; empty until the end.'),
    pass_rate: Share(0.88).nullable().describe('Share of the graded rows that pass; null without any.'),
    interval: Interval.nullable()
      .meta({ example: [0.8019, 0.93] })
      .describe('95 % interval of the pass rate (Wilson); null without graded rows.'),
  })
  .meta({ id: 'EvalRun' });
export type EvalRun = z.infer<typeof EvalRun>;

const Said = z.object({
  role: text('user').describe('Who says it.'),
  content: z.string().meta({ example: 'Capital of France?' }).describe('The text.'),
});

export const OutputItem = z
  .object({
    id: text(ITEM_ID).describe('Id of the output item.'),
    object: z.literal('eval.run.output_item').describe('Kind of the object.'),
    eval_id: text(EVAL_ID).describe('Id of the eval.'),
    run_id: text(RUN_ID).describe('Id of the run.'),
    created_at: Seconds.describe('Time at which it was graded, in seconds since 1970.'),
    status: z.enum(['pass', 'fail', 'error']).describe('Whether the row passes with each grader.'),
    datasource_item_id: count(0).describe('Number of the row, from 0.'),
    datasource_item: Anything.meta({ example: { question: 'Capital of France?', answer: 'Paris' } }).describe(
      'The row.',
    ),
    results: z.array(GraderResult).describe('What each grader says.'),
    sample: z
      .object({
        model: z
          .string()
          .meta({ example: 'qwen3-4b' })
          .describe('Model that answered; empty where none did.'),
        input: z.array(Said).describe('What it was asked.'),
        output: z
          .array(
            Said.extend({
              tool_calls: z.array(Anything).optional().describe('Calls of tools; absent without any.'),
            }),
          )
          .describe('What it answered.'),
        finish_reason: text('stop').describe('Why the answer ended.'),
        max_completion_tokens: count(0).describe('The most tokens; 0 where that was left open.'),
        temperature: z.number().meta({ example: 1 }).describe('Sampling temperature.'),
        top_p: z.number().meta({ example: 1 }).describe('Nucleus sampling.'),
        seed: z.int().meta({ example: 0 }).describe('Seed of the request; 0 without one.'),
        usage: ModelUsage.pick({
          prompt_tokens: true,
          completion_tokens: true,
          cached_tokens: true,
          total_tokens: true,
        }).describe('Tokens.'),
        error: ApiError.describe('Why there is no answer.'),
      })
      .describe('The answer that was graded.'),
  })
  .meta({ id: 'EvalOutputItem' });
export type OutputItem = z.infer<typeof OutputItem>;

const evalId = { eval_id: z.string().min(1).max(200).meta({ example: EVAL_ID }).describe('Id of the eval.') };
const runId = { run_id: z.string().min(1).max(200).meta({ example: RUN_ID }).describe('Id of the run.') };
export const EvalParams = z.strictObject(evalId);
export const EvalRunParams = z.strictObject({ ...evalId, ...runId });
export const OutputItemParams = z.strictObject({
  ...evalId,
  ...runId,
  output_item_id: z.string().min(1).max(200).meta({ example: ITEM_ID }).describe('Id of the output item.'),
});

const Order = z.enum(['asc', 'desc']).optional();
export const ListEvalsQuery = PageQuery.extend({
  order: Order.describe('Oldest first (default), or newest first.'),
  order_by: z
    .enum(['created_at', 'updated_at'])
    .optional()
    .describe('What is ordered by. Default: `created_at`.'),
});
export const ListEvalRunsQuery = PageQuery.extend({
  order: Order.describe('Oldest first (default), or newest first.'),
  status: RunStatus.optional().describe('Only runs with this status.'),
});
export const ListOutputItemsQuery = PageQuery.extend({
  order: Order.describe('By the number of the row (default), or backwards.'),
  status: z
    .enum(['pass', 'fail', 'error'])
    .optional()
    .describe('Only rows that pass, that fail, or that were not answered or graded.'),
});
export type ListOutputItemsQuery = z.infer<typeof ListOutputItemsQuery>;

export const EvalPage = listOf(Eval, EVAL_ID);
export const EvalRunPage = listOf(EvalRun, RUN_ID);
export const OutputItemPage = listOf(OutputItem, ITEM_ID);
export const DeletedEval = z.object({
  object: z.literal('eval.deleted').describe('Kind of the object.'),
  deleted: z.literal(true).describe('Always true.'),
  eval_id: text(EVAL_ID).describe('Id of the eval.'),
});
export const DeletedEvalRun = z.object({
  object: z.literal('eval.run.deleted').describe('Kind of the object.'),
  deleted: z.literal(true).describe('Always true.'),
  run_id: text(RUN_ID).describe('Id of the run.'),
});
