import * as z from 'zod';
import { text } from '#shared/platform/schema/common.ts';

/** Graders as OpenAI's API has them. */

export const SIMILARITY_METRICS = [
  'fuzzy_match',
  'bleu',
  'gleu',
  'meteor',
  'rouge_1',
  'rouge_2',
  'rouge_3',
  'rouge_4',
  'rouge_5',
  'rouge_l',
] as const;
export type SimilarityMetric = (typeof SIMILARITY_METRICS)[number];

const Template = (example: string) => z.string().max(100_000).meta({ example });

const Name = z
  .string()
  .min(1)
  .max(100)
  .meta({ example: 'matches' })
  .describe('Name of the grader, up to 100 characters; other graders have other names.');

const TextPart = z.strictObject({
  type: z.enum(['input_text', 'output_text']).describe('Kind of the part: a text.'),
  text: Template('{{ sample.output_text }}').describe('The text, a template of up to 100,000 characters.'),
});

/** A message with templates. */
export const TemplateMessage = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']).describe('Who says it.'),
  content: z
    .union([Template('Grade: {{ sample.output_text }}'), TextPart, z.array(TextPart).min(1).max(50)], {
      error: 'must be a text, or parts that are texts: images and audio are not taken',
    })
    .describe(
      'A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts.',
    ),
  type: z.literal('message').optional().describe('Kind of the object.'),
});
export type TemplateMessage = z.infer<typeof TemplateMessage>;

const Messages = z
  .array(TemplateMessage)
  .min(1)
  .max(50)
  .describe('What the model is asked: 1 to 50 messages with templates.');

const Model = z
  .string()
  .min(1)
  .max(256)
  .meta({ example: 'qwen3-4b' })
  .describe('Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.');

const Threshold = z.number();

const StringCheck = z.strictObject({
  type: z.literal('string_check').describe('Kind of the grader.'),
  name: Name,
  input: Template('{{ sample.output_text }}').describe('Template of the text, up to 100,000 characters.'),
  reference: Template('{{ item.answer }}').describe(
    'Template of what it is compared with, up to 100,000 characters.',
  ),
  operation: z
    .enum(['eq', 'ne', 'like', 'ilike'])
    .describe('Equal, not equal, contains, or contains with letters of any case.'),
});

const TextSimilarity = z.strictObject({
  type: z.literal('text_similarity').describe('Kind of the grader.'),
  name: Name,
  input: Template('{{ sample.output_text }}').describe('Template of the text, up to 100,000 characters.'),
  reference: Template('{{ item.answer }}').describe('Template of the reference, up to 100,000 characters.'),
  evaluation_metric: z
    .enum(SIMILARITY_METRICS)
    .describe('How likeness is measured. `cosine` is not offered.'),
  pass_threshold: Threshold.optional().describe('Score from which a row passes. Default: 0.5.'),
});

const LabelModel = z.strictObject({
  type: z.literal('label_model').describe('Kind of the grader.'),
  name: Name,
  model: Model,
  input: Messages,
  labels: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .describe('The labels, 1 to 100 of up to 200 characters.'),
  passing_labels: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .describe('Labels with which a row passes, 1 to 100 of them.'),
});

const ScoreModel = z.strictObject({
  type: z.literal('score_model').describe('Kind of the grader.'),
  name: Name,
  model: Model,
  input: Messages,
  range: z.array(z.number()).length(2).optional().describe('Lowest and highest score. Default: 0 and 1.'),
  pass_threshold: Threshold.nullish().describe(
    'Score from which a row passes. Default: the middle of the range.',
  ),
  sampling_params: z
    .strictObject({
      temperature: z.number().min(0).max(2).nullish().describe('Sampling temperature, 0 to 2.'),
      top_p: z.number().gt(0).max(1).nullish().describe('Nucleus sampling, above 0 and at most 1.'),
      max_completions_tokens: z
        .int()
        .min(1)
        .max(1_000_000)
        .nullish()
        .describe('The most tokens, 1 to 1,000,000.'),
      reasoning_effort: z.string().max(32).nullish().describe('How much the model reasons.'),
      seed: z.int().nullish().describe('Accepted: models answer without one, so that runs differ.'),
    })
    .nullish()
    .describe('How the model answers.'),
});

const Python = z.strictObject({
  type: z.literal('python').describe('Kind of the grader.'),
  name: Name,
  source: z
    .string()
    .min(1)
    .max(100_000)
    .meta({ example: 'def grade(sample, item):\n    return 1.0' })
    .describe('Code with `grade(sample, item)`, which returns a number; up to 100,000 characters.'),
  image_tag: z.string().max(100).optional().describe('Accepted and not read: there is one image.'),
  pass_threshold: Threshold.nullish().describe('Score from which a row passes. Default: 0.5.'),
});

const SingleGrader = z.discriminatedUnion('type', [
  StringCheck,
  TextSimilarity,
  LabelModel,
  ScoreModel,
  Python,
]);
export type SingleGrader = z.infer<typeof SingleGrader>;

const Multi = z.strictObject({
  type: z.literal('multi').describe('Kind of the grader.'),
  name: Name,
  graders: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/), SingleGrader)
    .meta({
      example: {
        exact: {
          type: 'string_check',
          name: 'exact',
          input: '{{ sample.output_text }}',
          reference: '{{ item.answer }}',
          operation: 'eq',
        },
      },
    })
    .describe('Graders by the names that the formula has, up to 20.'),
  calculate_output: z
    .string()
    .min(1)
    .max(2000)
    .meta({ example: '0.5 * exact + 0.5' })
    .describe('Formula of their scores, up to 2,000 characters.'),
  pass_threshold: Threshold.nullish().describe('Score from which a row passes. Default: 0.5.'),
});

export const Grader = z.discriminatedUnion('type', [
  StringCheck,
  TextSimilarity,
  LabelModel,
  ScoreModel,
  Python,
  Multi,
]);
export type Grader = z.infer<typeof Grader>;

/** What a grader says of a row. */
export const GraderResult = z.looseObject({
  name: text('matches').describe('Name of the grader.'),
  type: text('string_check').describe('Kind of the grader.'),
  score: z.number().meta({ example: 1 }).describe('The score.'),
  passed: z.boolean().describe('Whether the row passes.'),
  error: z
    .string()
    .nullable()
    .meta({ example: null })
    .describe('Why there is no score; null if there is one.'),
  label: z.string().optional().describe('The label that a model gave.'),
});
export type GraderResult = z.infer<typeof GraderResult>;
