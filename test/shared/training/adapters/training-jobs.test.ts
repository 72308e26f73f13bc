import {
  CreateTrainingJobCommand,
  ResourceInUse,
  ResourceLimitExceeded,
  ResourceNotFound,
  SageMakerClient,
  StopTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  createTrainingJobLauncher,
  createTrainingJobStopper,
} from '#shared/training/adapters/training-jobs.ts';

const sagemaker = mockClient(SageMakerClient);
afterAll(() => sagemaker.restore());
const client = new SageMakerClient({ region: 'eu-west-1' });
const settings = {
  image: '763104351884.dkr.ecr.eu-west-1.amazonaws.com/pytorch:2',
  roleArn: 'arn:aws:iam::111122223333:role/trains',
  sourceUrl: 's3://assets/0123.gz',
  instanceType: 'ml.g5.2xlarge',
  volumeGb: 200,
  hoursMax: 24,
  spot: true,
  network: null,
  tags: { stage: 'dev' },
};
const launcher = createTrainingJobLauncher('dev', settings, client);
const stopper = createTrainingJobStopper('dev', client);
const id = { experiment_id: '5a3f9a54-9d0c-4d3e-8f0b-1d7f6f0c2b11', iteration: 2, attempt: 1 };
const output = `trainings/${id.experiment_id}/iterations/2/attempts/1/`;
const message = { bucket: 'data', job_key: `${output}job.json`, lender: 'lender', secret: 'a'.repeat(64) };
const NAME = 'tunesmith-dev-5a3f9a549d0c4d3e8f0b1d7f6f0c2b11-2-1';

const sent = () => sagemaker.commandCalls(CreateTrainingJobCommand).map(({ args }) => args[0].input);
const answer = { message: 'sentence', $metadata: {} };
const validation = Object.assign(new Error('no such type'), { name: 'ValidationException' });

beforeEach(() => {
  sagemaker.reset();
});

test('a launch names the job by its attempt, gives the toolkit what it starts, and waits six hours for a machine', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({});

  expect(await launcher.launch(id, message)).toEqual({ outcome: 'launched' });

  expect(sent()).toEqual([
    {
      TrainingJobName: NAME,
      RoleArn: settings.roleArn,
      AlgorithmSpecification: { TrainingImage: settings.image, TrainingInputMode: 'File' },
      HyperParameters: {
        bucket: '"data"',
        job_key: `"${message.job_key}"`,
        lender: '"lender"',
        sagemaker_program: '"sagemaker_entry.py"',
        sagemaker_submit_directory: '"s3://assets/0123.gz"',
      },
      Environment: { ATTEMPT_SECRET: message.secret },
      OutputDataConfig: { S3OutputPath: `s3://data/${output}sagemaker` },
      ResourceConfig: { InstanceType: 'ml.g5.2xlarge', InstanceCount: 1, VolumeSizeInGB: 200 },
      Tags: [{ Key: 'stage', Value: 'dev' }],
      EnableManagedSpotTraining: true,
      StoppingCondition: { MaxRuntimeInSeconds: 24 * 3600, MaxWaitTimeInSeconds: 30 * 3600 },
    },
  ]);
});

test('a launch leaves the secret out of the hyperparameters, which the image prints into its log', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({});

  await launcher.launch(id, message);

  expect(JSON.stringify(sent()[0]?.HyperParameters)).not.toContain(message.secret);
});

test('a launch keeps within what SageMaker takes, for the longest stage and the last attempt', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({});
  const last = { ...id, iteration: 10, attempt: 3 };

  await createTrainingJobLauncher('abcdefghijkl', settings, client).launch(last, message);

  const [input] = sent();
  expect(input?.TrainingJobName).toMatch(/^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/);
  for (const value of Object.values(input?.HyperParameters ?? {})) {
    expect(value.length).toBeLessThanOrEqual(256);
  }
});

test('a launch in a private network names its subnets and security groups', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({});
  const network = { subnets: ['subnet-0123abcd', 'subnet-4567abcd'], securityGroups: ['sg-0123abcd'] };

  await createTrainingJobLauncher('dev', { ...settings, network }, client).launch(id, message);

  expect(sent()[0]?.VpcConfig).toEqual({
    Subnets: ['subnet-0123abcd', 'subnet-4567abcd'],
    SecurityGroupIds: ['sg-0123abcd'],
  });
});

test('a launch on machines that nobody takes away says nothing of waiting', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({});

  await createTrainingJobLauncher('dev', { ...settings, spot: false, hoursMax: 2 }, client).launch(
    id,
    message,
  );

  expect(sent()[0]).toMatchObject({
    EnableManagedSpotTraining: false,
    StoppingCondition: { MaxRuntimeInSeconds: 7200 },
  });
  expect(sent()[0]?.StoppingCondition?.MaxWaitTimeInSeconds).toBeUndefined();
});

const none =
  "The account-level service limit 'ml.g5.2xlarge for spot training job usage' is 0 Instances, with current utilization of 0 Instances and a request delta of 1 Instances.";
test.each([
  ['of a job that is there has launched it', new ResourceInUse(answer), { outcome: 'launched' }],
  ['beyond the quota says that there is no room', new ResourceLimitExceeded(answer), { outcome: 'no_room' }],
  [
    'of an account that may have none says why',
    new ResourceLimitExceeded({ ...answer, message: none }),
    { outcome: 'refused', reason: none },
  ],
  ['that is refused for good says why', validation, { outcome: 'refused', reason: 'no such type' }],
])('a launch that SageMaker refuses has an outcome: one %s', async (_, error, expected) => {
  sagemaker.on(CreateTrainingJobCommand).rejects(error);

  expect(await launcher.launch(id, message)).toEqual(expected);
});

test('a launch that failed otherwise is an error', async () => {
  sagemaker.on(CreateTrainingJobCommand).rejects(new Error('denied'));

  await expect(launcher.launch(id, message)).rejects.toThrow('denied');
});

test('a stop names the job by its attempt', async () => {
  sagemaker.on(StopTrainingJobCommand).resolves({});

  await stopper.stop(id);

  expect(sagemaker.commandCalls(StopTrainingJobCommand)[0]?.args[0].input).toEqual({
    TrainingJobName: NAME,
  });
});

test.each([
  ['that is not there', new ResourceNotFound(answer)],
  ['that has ended', validation],
])('a stop of a job %s does nothing', async (_, error) => {
  sagemaker.on(StopTrainingJobCommand).rejects(error);

  await expect(stopper.stop(id)).resolves.toBeUndefined();
});

test('a stop that failed otherwise is an error', async () => {
  sagemaker.on(StopTrainingJobCommand).rejects(new Error('denied'));

  await expect(stopper.stop(id)).rejects.toThrow('denied');
});
