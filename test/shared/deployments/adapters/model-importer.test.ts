import {
  BedrockClient,
  CreateModelImportJobCommand,
  DeleteImportedModelCommand,
  GetImportedModelCommand,
  GetModelImportJobCommand,
  ListModelImportJobsCommand,
} from '@aws-sdk/client-bedrock';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createModelImporter } from '#shared/deployments/adapters/model-importer.ts';
import { DeploymentRefused } from '#shared/deployments/decide/ports.ts';

const JOB = 'arn:aws:bedrock:us-east-1:111122223333:model-import-job/abcdefghijkl';
const MODEL = 'arn:aws:bedrock:us-east-1:111122223333:imported-model/r4c4kewx2s0n';
const ROLE = 'arn:aws:iam::111122223333:role/imports';
const KEY = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

const bedrock = mockClient(BedrockClient);
const importerWith = (keyArn: string | null = null) =>
  createModelImporter(
    { bucketName: 'data', roleArn: ROLE, keyArn, tags: { stage: 'dev' } },
    new BedrockClient({}),
  );
const importer = importerWith();

beforeEach(() => bedrock.reset());

/** An error as the SDK makes it of an answer. */
const refusal = (name: string, message: string): Error => Object.assign(new Error(message), { name });

describe('an import of Amazon Bedrock', () => {
  test('an import of Amazon Bedrock names the files, the role, the tags of job and model, and what a repetition is known by', async () => {
    bedrock.on(CreateModelImportJobCommand).resolves({ jobArn: JOB });

    expect(await importer.start('tunesmith-dev-1', 'trainings/x/deployment/model/')).toBe(JOB);

    expect(bedrock.commandCalls(CreateModelImportJobCommand)[0]?.args[0].input).toEqual({
      jobName: 'tunesmith-dev-1',
      importedModelName: 'tunesmith-dev-1',
      clientRequestToken: 'tunesmith-dev-1',
      roleArn: ROLE,
      modelDataSource: { s3DataSource: { s3Uri: 's3://data/trainings/x/deployment/model/' } },
      jobTags: [{ key: 'stage', value: 'dev' }],
      importedModelTags: [{ key: 'stage', value: 'dev' }],
    });
  });

  test('an import of Amazon Bedrock has the model encrypted by the key of the operator', async () => {
    bedrock.on(CreateModelImportJobCommand).resolves({ jobArn: JOB });

    await importerWith(KEY).start('n', 'p/');

    expect(bedrock.commandCalls(CreateModelImportJobCommand)[0]?.args[0].input.importedModelKmsKeyId).toBe(
      KEY,
    );
  });

  test.each([
    ['is ignored', () => bedrock.on(CreateModelImportJobCommand).resolves({})],
    [
      'conflicts with the first',
      () =>
        bedrock
          .on(CreateModelImportJobCommand)
          .rejects(refusal('ConflictException', 'The job name is already in use.')),
    ],
  ])('an import of Amazon Bedrock whose request %s is the one that was made before', async (_, arrange) => {
    arrange();
    bedrock
      .on(ListModelImportJobsCommand)
      .resolvesOnce({
        modelImportJobSummaries: [{ jobName: 'n-2', jobArn: 'another' } as never],
        nextToken: 't',
      })
      .resolves({ modelImportJobSummaries: [{ jobName: 'n', jobArn: JOB } as never] });

    expect(await importer.start('n', 'p/')).toBe(JOB);
  });

  test('an import of Amazon Bedrock waits while another one goes on, unless that one is its own', async () => {
    const words = 'The number of requests exceeds the service quota. Resubmit your request later.';
    bedrock.on(CreateModelImportJobCommand).rejects(refusal('ServiceQuotaExceededException', words));
    bedrock.on(ListModelImportJobsCommand).resolvesOnce({ modelImportJobSummaries: [] });

    expect(await importer.start('n', 'p/')).toBeNull();

    bedrock
      .on(ListModelImportJobsCommand)
      .resolves({ modelImportJobSummaries: [{ jobName: 'n', jobArn: JOB } as never] });
    expect(await importer.start('n', 'p/')).toBe(JOB);
  });

  // The words of the service: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelImportJob.html#API_CreateModelImportJob_Errors
  test.each([
    [
      'AccessDeniedException',
      'The request is denied because of missing access permissions.',
      /may not import/,
    ],
    [
      'ValidationException',
      'Unable to access s3://data/trainings/x: check arn:aws:iam::111122223333:role/imports',
      /refused the import: Unable to access an object of the installation check an object of the installation$/,
    ],
  ])(
    'an import of Amazon Bedrock that is refused by %s fails for good, without a name of the operator',
    async (name, message, told) => {
      bedrock.on(CreateModelImportJobCommand).rejects(refusal(name, message));

      const error = await importer.start('n', 'p/').catch((caught: unknown) => caught);

      expect(error).toBeInstanceOf(DeploymentRefused);
      expect((error as Error).message).toMatch(told);
      expect((error as Error).message).not.toMatch(/arn:|s3:|111122223333/);
    },
  );

  test.each(['ThrottlingException', 'InternalServerException'])(
    'an import of Amazon Bedrock that meets %s is tried again',
    async (name) => {
      bedrock.on(CreateModelImportJobCommand).rejects(refusal(name, 'Later.'));

      const error = await importer.start('n', 'p/').catch((caught: unknown) => caught);

      expect(error).not.toBeInstanceOf(DeploymentRefused);
      expect((error as Error).name).toBe(name);
    },
  );

  test.each([
    [{ status: 'InProgress' as const }, { state: 'running' }],
    [
      { status: 'Completed' as const, importedModelArn: MODEL },
      { state: 'done', modelArn: MODEL },
    ],
    [
      {
        status: 'Failed' as const,
        failureMessage:
          'Amazon Bedrock does not support the architecture of the model that you are importing.',
      },
      {
        state: 'failed',
        reason: 'Amazon Bedrock does not support the architecture of the model that you are importing.',
      },
    ],
    [{ status: 'Failed' as const }, { state: 'failed', reason: 'it gave no reason' }],
  ])('an import of Amazon Bedrock is told by its state: %j', async (answer, wanted) => {
    bedrock.on(GetModelImportJobCommand, { jobIdentifier: JOB }).resolves(answer);

    expect(await importer.look(JOB)).toEqual(wanted);
  });
});

describe('an imported model', () => {
  test('an imported model says by how many units a copy is billed', async () => {
    bedrock
      .on(GetImportedModelCommand, { modelIdentifier: MODEL })
      .resolvesOnce({ customModelUnits: { customModelUnitsPerModelCopy: 2 } })
      .resolves({});

    expect([await importer.unitsOf(MODEL), await importer.unitsOf(MODEL)]).toEqual([2, null]);
  });

  test('an imported model is deleted, and one that is gone is none', async () => {
    bedrock
      .on(DeleteImportedModelCommand, { modelIdentifier: MODEL })
      .resolvesOnce({})
      .rejectsOnce(
        refusal(
          'ResourceNotFoundException',
          'The specified resource Amazon Resource Name (ARN) was not found.',
        ),
      )
      .rejects(refusal('ThrottlingException', 'Later.'));

    await importer.remove(MODEL);
    await importer.remove(MODEL);
    await expect(importer.remove(MODEL)).rejects.toThrow('Later.');
  });
});
