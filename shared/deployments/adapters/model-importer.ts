import {
  BedrockClient,
  CreateModelImportJobCommand,
  DeleteImportedModelCommand,
  GetImportedModelCommand,
  GetModelImportJobCommand,
  ListModelImportJobsCommand,
  type ListModelImportJobsCommandOutput,
} from '@aws-sdk/client-bedrock';
import { DeploymentRefused, type ModelImporter } from '../decide/ports.ts';
import { hidden } from './hidden.ts';
import { nameOf } from './name-of.ts';

export interface ModelImporterOptions {
  readonly bucketName: string;
  /** ARN of the role that Bedrock assumes for an import. */
  readonly roleArn: string;
  /** The operator's key, by which the imported model is encrypted; null for one of AWS. */
  readonly keyArn: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

/** Errors that a repetition meets again, with what callers can do. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    'AccessDeniedException',
    'The account may not import models. Ask your operator to look at the log of the function that advances deployments.',
  ],
]);

/**
 * The import of custom models of Amazon Bedrock: the files below a prefix become a model, which answers by its ARN
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-customization-import-model.html).
 */
export function createModelImporter(
  { bucketName, roleArn, keyArn, tags }: ModelImporterOptions,
  client = new BedrockClient({}),
): ModelImporter {
  const tagged = Object.entries(tags).map(([key, value]) => ({ key, value }));

  async function findJob(name: string): Promise<string | null> {
    let nextToken: string | undefined;
    do {
      const listed: ListModelImportJobsCommandOutput = await client.send(
        new ListModelImportJobsCommand({ nameContains: name, maxResults: 100, nextToken }),
      );
      const found = listed.modelImportJobSummaries?.find(({ jobName }) => jobName === name);
      if (found?.jobArn !== undefined) return found.jobArn;
      ({ nextToken } = listed);
    } while (nextToken !== undefined);
    return null;
  }

  return {
    async start(name, prefix) {
      let jobArn: string | undefined;
      try {
        ({ jobArn } = await client.send(
          new CreateModelImportJobCommand({
            jobName: name,
            importedModelName: name,
            roleArn,
            modelDataSource: { s3DataSource: { s3Uri: `s3://${bucketName}/${prefix}` } },
            // A repetition makes no second job.
            clientRequestToken: name,
            jobTags: tagged,
            importedModelTags: tagged,
            ...(keyArn === null ? {} : { importedModelKmsKeyId: keyArn }),
          }),
        ));
      } catch (error) {
        const told = REFUSALS.get(nameOf(error));
        if (told !== undefined) throw new DeploymentRefused(told, { cause: error });
        if (nameOf(error) === 'ValidationException') {
          const said = hidden((error as Error).message);
          throw new DeploymentRefused(`Amazon Bedrock refused the import: ${said}`, { cause: error });
        }
        // One import at once is the quota of an account, which cannot be raised: the other one may be this, from before a crash.
        if (nameOf(error) === 'ServiceQuotaExceededException') return findJob(name);
        // Both names are taken by a job that was made before a crash.
        if (nameOf(error) !== 'ConflictException') throw error;
      }
      // Of a repetition the documentation says that it is ignored, not that it is answered with the job.
      const job = jobArn ?? (await findJob(name));
      if (job === null) throw new Error('Bedrock has neither made nor found the import.');
      return job;
    },

    findJob,

    async look(jobArn) {
      const { status, failureMessage, importedModelArn } = await client.send(
        new GetModelImportJobCommand({ jobIdentifier: jobArn }),
      );
      if (status === 'Failed')
        return { state: 'failed', reason: hidden(failureMessage ?? 'it gave no reason') };
      if (status !== 'Completed' || importedModelArn === undefined) return { state: 'running' };
      return { state: 'done', modelArn: importedModelArn };
    },

    async unitsOf(modelArn) {
      const { customModelUnits } = await client.send(
        new GetImportedModelCommand({ modelIdentifier: modelArn }),
      );
      return customModelUnits?.customModelUnitsPerModelCopy ?? null;
    },

    async remove(modelArn) {
      try {
        await client.send(new DeleteImportedModelCommand({ modelIdentifier: modelArn }));
      } catch (error) {
        if (nameOf(error) !== 'ResourceNotFoundException') throw error;
      }
    },
  };
}
