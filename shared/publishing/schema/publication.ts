import * as z from 'zod';
import { DateTime, text } from '#shared/platform/schema/common.ts';

export const PublishTarget = z.enum(['huggingface', 'kaggle']);
export type PublishTarget = z.infer<typeof PublishTarget>;

export const PublishRequest = z.strictObject({
  target: PublishTarget.describe('Platform to publish to.'),
  target_spec: z
    .record(z.string(), z.json())
    .optional()
    .meta({ example: { repo_name: 'acme/support-answers', license: 'cc-by-4.0' } })
    .describe(
      'Settings of the platform. For `huggingface`: `repo_name` (required; `name` or `namespace/name`), `private` (default: ' +
        'true), `license` (an identifier of the platform, such as `cc-by-4.0`), `version` (of the dataset; default: the rows ' +
        'that a download has) and `commit_message`. For `kaggle`: the same, and `title` (6 to 50 characters; default: the name); ' +
        'a name has 6 to 50 lower-case letters, digits and hyphens.',
    ),
});

export const PublishModelRequest = z.strictObject({
  target: PublishTarget.describe('Platform to publish to.'),
  target_spec: z
    .record(z.string(), z.json())
    .optional()
    .meta({ example: { repo_name: 'acme/support-answers', license: 'apache-2.0' } })
    .describe(
      'Settings of the platform. For `huggingface`: `repo_name` (required; `name` or `namespace/name`), `private` (default: ' +
        'true), `license` (an identifier of the platform, such as `apache-2.0`) and `commit_message`.',
    ),
});

/** What `target_spec` says for Hugging Face. */
export const HuggingFaceSpec = z.strictObject({
  repo_name: z
    .string()
    .max(130)
    .regex(
      /^(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)?(?!.*(?:--|\.\.|\.git$))[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?$/,
      'must be `name` or `namespace/name`, of letters, digits, `-`, `_` and `.`',
    ),
  private: z.boolean().default(true),
  license: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'must be an identifier of a license, such as `cc-by-4.0`')
    .optional(),
  version: z.int().min(1).optional(),
  commit_message: z.string().min(1).max(200).optional(),
});
export type HuggingFaceSpec = z.infer<typeof HuggingFaceSpec>;

/** The same for a model, which is that of one training. */
export const HuggingFaceModelSpec = HuggingFaceSpec.omit({ version: true });

export const PublicationStatus = z.enum(['queued', 'running', 'succeeded', 'failed']);
export type PublicationStatus = z.infer<typeof PublicationStatus>;

/** Spec §2.16. */
export const PublishJob = z.object({
  publish_id: text('5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10').describe('Id of the publication.'),
  status: text('queued').describe('Status of the publication: `queued`, `running`, `succeeded` or `failed`.'),
  message: z.string().optional().describe('What happens next, or why it failed.'),
});
export type PublishJob = z.infer<typeof PublishJob>;

export const Publication = PublishJob.extend({
  status: PublicationStatus.meta({ example: 'succeeded' }).describe('Status of the publication.'),
  target: PublishTarget.describe('Platform that the dataset or model is published to.'),
  repository: text('acme/support-answers').describe(
    'Repository on the platform, as `namespace/name` once its owner is known.',
  ),
  private: z.boolean().describe('Whether the repository was to be private.'),
  progress_percent: z
    .int()
    .min(0)
    .max(100)
    .meta({ example: 100 })
    .describe('Share of the work that is done, in percent.'),
  url: text('https://huggingface.co/datasets/acme/support-answers')
    .nullable()
    .describe('Address of the repository; null until it is published.'),
  commit: text('8d7be65e1f0c4a52b2f9a3d1c6e5f4a3b2c1d0e9')
    .nullable()
    .describe(
      'Commit that the publication made, on Kaggle the number of the version; null until then, and if the repository had the ' +
        'same content.',
    ),
  created_at: DateTime.describe('Time of the request, ISO 8601 in UTC.'),
  updated_at: DateTime.describe('Time of the last change, ISO 8601 in UTC.'),
}).meta({ id: 'Publication' });
export type Publication = z.infer<typeof Publication>;
