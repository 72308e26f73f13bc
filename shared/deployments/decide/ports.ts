import type { Hosting } from './hosting.ts';

/** A deployment cannot be made: repeating it would not help. The message is for callers. */
export class DeploymentRefused extends Error {
  override readonly name = 'DeploymentRefused';
}

/** A file of a base model on its hub. */
export interface BaseFile {
  readonly name: string;
  readonly bytes: number;
}

/** A base model at one commit. */
export interface BaseModel {
  readonly revision: string;
  /** The files of its first folder. */
  readonly files: readonly BaseFile[];
}

/** The hub that base models come from. `token` is the team's own; null without a connection. */
export interface BaseModelHub {
  /** @throws {DeploymentRefused} if there is none, or the token does not open it */
  find(model: string, token: string | null): Promise<BaseModel>;
  /** Bytes `from` to `to` of a file, the last one not included. @throws {DeploymentRefused} as `find` */
  read(
    at: { readonly model: string; readonly revision: string; readonly token: string | null },
    name: string,
    from: number,
    to: number,
  ): Promise<Buffer>;
}

/** What has come of an import. */
export type ImportState =
  | { readonly state: 'running' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'done'; readonly modelArn: string };

/** The import of custom models of Amazon Bedrock. */
export interface ModelImporter {
  /**
   * Imports the files below a prefix of the bucket, once for a name.
   * @returns the ARN of the job; null while the account has as many imports, or imported models, as it may have at once
   * @throws {DeploymentRefused} if Amazon Bedrock refuses it for good
   */
  start(name: string, prefix: string): Promise<string | null>;
  /** The job of a name; null if there is none. */
  findJob(name: string): Promise<string | null>;
  look(jobArn: string): Promise<ImportState>;
  /** Custom Model Units of a copy; null if Amazon Bedrock does not say. */
  unitsOf(modelArn: string): Promise<number | null>;
  /** Deletes a model; one that is gone is none. */
  remove(modelArn: string): Promise<void>;
}

/** What has come of the endpoint of a model: the account may have no more instances, or AWS has none to give. */
export type EndpointState =
  | ImportState
  | { readonly state: 'no_room' }
  | {
      readonly state: 'no_capacity';
      /** Whether an instance ran meanwhile, which is billed. */
      readonly hadInstance: boolean;
    };

/** AWS had no instance for a model, whose endpoint has failed of it. Another one may start later. */
export class NoCapacity extends Error {
  override readonly name = 'NoCapacity';
}

/** Endpoints of Amazon SageMaker, each with one model on at most one instance. All that belongs to one has its name. */
export interface ModelEndpoints {
  /**
   * Makes the configuration of an endpoint, which costs nothing: it is refused where the region has no such instance, or takes none
   * down to zero. Safe to repeat.
   * @throws {DeploymentRefused} if Amazon SageMaker refuses it for good
   */
  prepare(name: string, hosting: Hosting): Promise<void>;
  /**
   * Does the next step towards an endpoint that answers with the files below a prefix of the bucket, whatever was done before.
   * @returns `no_room` while the account has as many instances of the type as it may have at once, `no_capacity` if AWS has none: then
   *   what was made is to be removed before it is made again
   * @throws {DeploymentRefused} if Amazon SageMaker refuses it for good
   */
  make(name: string, prefix: string, hosting: Hosting): Promise<EndpointState>;
  /**
   * Starts the copy of a model, or has it end with its instance.
   * @returns whether it does: false while it is busy, or has no room
   * @throws {DeploymentRefused} if the model cannot start any more, {NoCapacity} if it could later
   */
  setCopies(name: string, copies: 0 | 1): Promise<boolean>;
  /**
   * Copies of a model that Amazon SageMaker is told to have, and has, with the instances that are billed for them.
   * @throws {DeploymentRefused} if the model cannot start any more, {NoCapacity} if it could later
   */
  copiesOf(
    name: string,
  ): Promise<{ readonly desired: number; readonly current: number; readonly instances: number }>;
  /** Does the next step of the deletion. @returns whether all of it is gone */
  remove(name: string): Promise<boolean>;
}

/** The model server of a laptop. */
export interface TrainedModelServer {
  /** Has it serve an adapter. @throws {DeploymentRefused} if it does not serve the base model, or takes none */
  put(model: string, experimentId: string, url: string): Promise<void>;
  /** Ends that. Safe to repeat. */
  remove(experimentId: string): Promise<void>;
}
