import type { BedrockClient } from '@aws-sdk/client-bedrock';
import { createModelImporter } from '#shared/deployments/adapters/model-importer.ts';
import type { ModelImporter } from '#shared/deployments/decide/ports.ts';
import { type Cloud, nameOf, request, serverError } from './cloud.ts';
import type { DeploymentsOf } from './simulated-endpoints.ts';

interface Job {
  readonly arn: string;
  status: 'InProgress' | 'Completed' | 'Failed';
  /** When lists show it: what was made a moment ago they may not. */
  readonly listedMs: number;
}

type Input = Readonly<Record<string, unknown>>;

const MINUTE = 60_000;
const IMPORTING_MILLISECONDS = 12 * MINUTE;
const UNLISTED_MILLISECONDS = 3000;
/** Imported models that an account may have: https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
const MODELS_MAX = 3;

const refusal = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: 400 } });
const jobArnOf = (name: string): string =>
  `arn:aws:bedrock:eu-central-1:111122223333:model-import-job/${name}`;
const modelArnOf = (name: string): string =>
  `arn:aws:bedrock:eu-central-1:111122223333:imported-model/${name}`;

/**
 * The import of models of Amazon Bedrock: one job at a time in an account, whose name is used once, which a repeated token makes no second
 * time, which nothing stops, and which may fail; lists may not show what was made a moment ago.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelImportJob.html
 */
export class SimulatedImports {
  readonly #jobs = new Map<string, Job>();
  readonly #models = new Set<string>();
  private readonly cloud: Cloud;
  private readonly deployments: DeploymentsOf;

  /** What the service uses: its own adapter, on a client that asks this double. */
  readonly port: ModelImporter;

  constructor(cloud: Cloud, deployments: DeploymentsOf) {
    this.cloud = cloud;
    this.deployments = deployments;
    const options = {
      bucketName: 'data',
      roleArn: 'arn:aws:iam::111122223333:role/imports',
      keyArn: null,
      tags: {},
    };
    const send = (command: { readonly input: Input }): Promise<unknown> =>
      this.#ask(command.constructor.name.replace(/Command$/, ''), command.input);
    this.port = createModelImporter(options, { send } as unknown as BedrockClient);
  }

  /** The names of models that are there, or are being imported. */
  names(): string[] {
    const made = [...this.#jobs].flatMap(([name, { status }]) => (status === 'InProgress' ? [name] : []));
    return [...this.#models, ...made];
  }

  /** Whether a model answers. */
  answers = (arn: string): boolean => this.#models.has(arn.slice(modelArnOf('').length));

  #ask(operation: string, input: Input): Promise<unknown> {
    const { cloud } = this;
    const subject = input.jobName ?? input.nameContains ?? input.jobIdentifier ?? input.modelIdentifier;
    const name = String(subject).split('/').at(-1) ?? '';
    const where = `${operation} ${name}`;
    const isWrite = /^(Create|Delete)/.test(operation);
    const isRefused = cloud.faults.strikes('start refused', () => where);
    const isUnheard = isWrite && cloud.faults.strikes('start unheard', () => where);
    const asking = nameOf(cloud);
    if (isWrite && !this.deployments.isClaimedBy(name, asking))
      cloud.breaks('a deployment has one process at a time', `${where} by ${asking}`);
    return request(cloud, { where, isWrite, mean: 100 }, () => {
      if (isRefused) throw refusal('ThrottlingException', 'Rate exceeded');
      const answer = this.#do(operation, name);
      if (isWrite) cloud.tell(`Bedrock takes ${where}`);
      if (isUnheard) throw serverError('InternalServerException');
      return answer;
    });
  }

  #do(operation: string, name: string): unknown {
    const { clock } = this.cloud;
    switch (operation) {
      case 'CreateModelImportJob':
        return this.#create(name);
      case 'ListModelImportJobs': {
        const listed = [...this.#jobs].filter(
          ([each, { listedMs }]) => each.includes(name) && listedMs <= clock.now(),
        );
        return { modelImportJobSummaries: listed.map(([jobName, { arn }]) => ({ jobName, jobArn: arn })) };
      }
      case 'GetModelImportJob': {
        const job = this.#jobs.get(name);
        if (job === undefined) throw refusal('ResourceNotFoundException', name);
        return {
          status: job.status,
          ...(job.status === 'Completed' ? { importedModelArn: modelArnOf(name) } : {}),
          ...(job.status === 'Failed' ? { failureMessage: 'The files could not be read.' } : {}),
        };
      }
      case 'GetImportedModel':
        if (!this.#models.has(name)) throw refusal('ResourceNotFoundException', name);
        return { customModelUnits: { customModelUnitsPerModelCopy: 1 } };
      case 'DeleteImportedModel':
        if (!this.#models.delete(name)) throw refusal('ResourceNotFoundException', name);
        return {};
    }
    throw new Error(`The simulation has no ${operation} of Bedrock.`);
  }

  #create(name: string): object {
    const { clock, faults, random, tell, breaks } = this.cloud;
    // A repetition with its token is ignored, and not answered with the job.
    if (this.#jobs.has(name)) return {};
    const isBusy = [...this.#jobs.values()].some(({ status }) => status === 'InProgress');
    if (isBusy || this.#models.size >= MODELS_MAX)
      throw refusal('ServiceQuotaExceededException', 'You have reached the quota of the account.');
    if (!this.deployments.has(name))
      breaks('no endpoint outlives its record', `the import ${name} is made without a record`);
    const late = faults.strikes('state outdated', () => `the import ${name}`);
    const listedMs = clock.now() + (late ? random.wait(UNLISTED_MILLISECONDS) : 0);
    const job: Job = { arn: jobArnOf(name), status: 'InProgress', listedMs };
    this.#jobs.set(name, job);
    const fails = faults.strikes('endpoint fails', () => name);
    clock.after(random.wait(IMPORTING_MILLISECONDS), () => {
      job.status = fails ? 'Failed' : 'Completed';
      if (!fails) this.#models.add(name);
      tell(`the import ${name} is ${job.status}`);
    });
    return { jobArn: job.arn };
  }
}
