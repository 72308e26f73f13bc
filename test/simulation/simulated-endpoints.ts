import type { SageMakerClient } from '@aws-sdk/client-sagemaker';
import { createModelEndpoints } from '#shared/deployments/adapters/model-endpoints.ts';
import type { ModelEndpoints } from '#shared/deployments/decide/ports.ts';
import { type Cloud, nameOf, request, serverError } from './cloud.ts';

interface Part {
  /** When SageMaker sees it: what was made a moment ago may not be found. */
  readonly seenMs: number;
}

interface Endpoint extends Part {
  status: 'Creating' | 'InService' | 'Failed' | 'Deleting';
}

interface Component extends Part {
  status: 'Creating' | 'InService' | 'Updating' | 'Failed' | 'Deleting';
  desired: number;
  current: number;
}

/** What the table has of deployments. */
export interface DeploymentsOf {
  /** Whether there is one of this name. */
  readonly has: (name: string) => boolean;
  /** Whether a process has claimed the one of this name, if there is one. */
  readonly isClaimedBy: (name: string, process: string) => boolean;
}

type Input = Readonly<Record<string, unknown>>;

const MINUTE = 60_000;
const UNSEEN_MILLISECONDS = 3000;
const CREATING_MILLISECONDS = 4 * MINUTE;
const STARTING_MILLISECONDS = 6 * MINUTE;
const ENDING_MILLISECONDS = 3 * MINUTE;
const DELETING_MILLISECONDS = 2 * MINUTE;

const refusal = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: 400 } });
const arnOf = (kind: string, name: string): string =>
  `arn:aws:sagemaker:eu-central-1:111122223333:${kind.replace('uration', '').replace(' ', '-')}/${name}`;
const missing = (kind: string, name: string): Error =>
  refusal('ValidationException', `Could not find ${kind} "${arnOf(kind, name)}".`);
const existing = (kind: string, name: string): Error =>
  refusal('ValidationException', `Cannot create already existing ${kind} "${arnOf(kind, name)}".`);
const inProgress = (what: string, kind: string, name: string): Error =>
  refusal('ValidationException', `Cannot ${what} in-progress ${kind} "${arnOf(kind, name)}".`);
const noRoom = (instances: number): Error =>
  refusal(
    'ResourceLimitExceeded',
    `The account-level service limit 'ml.g6.xlarge for endpoint usage' is ${instances} Instances, with current utilization of ${instances} Instances and a request delta of 1 Instances.`,
  );

/**
 * Endpoints of SageMaker: a name is there once, what was made a moment ago may not be seen, what is being made, changed or deleted takes no
 * change, an account has room for one instance or two, and starts and ends take minutes or fail.
 * https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateEndpoint.html,
 * https://docs.aws.amazon.com/sagemaker/latest/dg/realtime-endpoints-delete-resources.html
 */
export class SimulatedEndpoints {
  readonly #configurations = new Map<string, Part>();
  readonly #models = new Map<string, Part>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #components = new Map<string, Component>();
  private readonly cloud: Cloud;
  private readonly deployments: DeploymentsOf;

  /** What the service uses: its own adapter, on a client that asks this double. */
  readonly port: ModelEndpoints;

  constructor(cloud: Cloud, deployments: DeploymentsOf) {
    this.cloud = cloud;
    this.deployments = deployments;
    const options = {
      bucketName: 'data',
      image: 'image',
      roleArn: 'arn:aws:iam::111122223333:role/endpoints',
      contextTokens: 8192,
      network: null,
      tags: {},
    };
    const send = (command: { readonly input: Input }): Promise<unknown> =>
      this.#ask(command.constructor.name.replace(/Command$/, ''), command.input);
    this.port = createModelEndpoints(options, { send } as unknown as SageMakerClient);
  }

  /** The names of all that is there. */
  names(): string[] {
    const all = [this.#configurations, this.#models, this.#endpoints, this.#components];
    return [...new Set(all.flatMap((each) => [...each.keys()]))];
  }

  /** Names of endpoints that have an instance, which costs money. */
  running(): string[] {
    return [...this.#endpoints.keys()].filter((name) => this.#hasInstance(name));
  }

  /** Whether a model answers. */
  answers = (name: string): boolean => (this.#components.get(name)?.current ?? 0) > 0;

  #hasInstance(name: string): boolean {
    const endpoint = this.#endpoints.get(name);
    if (endpoint === undefined || endpoint.status === 'Failed') return false;
    const component = this.#components.get(name);
    // The first instance is there before the component, and goes with its last copy.
    return component === undefined || component.current > 0 || component.desired > 0;
  }

  #ask(operation: string, input: Input): Promise<unknown> {
    const { cloud } = this;
    const name = String(
      input.InferenceComponentName ?? input.EndpointName ?? input.EndpointConfigName ?? input.ModelName,
    );
    const where = `${operation} ${name}`;
    const isWrite = !operation.startsWith('Describe');
    const isRefused = cloud.faults.strikes('start refused', () => where);
    const isUnheard = isWrite && cloud.faults.strikes('start unheard', () => where);
    const asking = nameOf(cloud);
    if (isWrite && !this.deployments.isClaimedBy(name, asking))
      cloud.breaks('a deployment has one process at a time', `${where} by ${asking}`);
    return request(cloud, { where, isWrite, mean: 100 }, () => {
      if (isRefused) throw refusal('ThrottlingException', 'Rate exceeded');
      const answer = this.#do(operation, name, input);
      if (isWrite) cloud.tell(`SageMaker takes ${where}`);
      if (isUnheard) throw serverError('InternalFailure');
      return answer;
    });
  }

  #do(operation: string, name: string, input: Input): unknown {
    switch (operation) {
      case 'CreateEndpointConfig':
        return this.#make(this.#configurations, 'endpoint configuration', name, this.#part());
      case 'CreateModel':
        return this.#make(this.#models, 'model', name, this.#part());
      case 'CreateEndpoint':
        return this.#createEndpoint(name);
      case 'CreateInferenceComponent':
        return this.#createComponent(name, input);
      case 'DescribeEndpoint': {
        const { status } = this.#found(this.#endpoints, 'endpoint', name);
        return {
          EndpointStatus: status,
          ProductionVariants: [{ CurrentInstanceCount: this.#hasInstance(name) ? 1 : 0 }],
          ...(status === 'Failed' ? { FailureReason: 'InsufficientInstanceCapacity' } : {}),
        };
      }
      case 'DescribeInferenceComponent': {
        const { status, desired, current } = this.#found(this.#components, 'inference component', name);
        return {
          InferenceComponentStatus: status,
          InferenceComponentArn: arnOf('inference component', name),
          RuntimeConfig: { DesiredCopyCount: desired, CurrentCopyCount: current },
          ...(status === 'Failed' ? { FailureReason: 'It did not pass the ping health check.' } : {}),
        };
      }
      case 'UpdateInferenceComponentRuntimeConfig':
        return this.#setCopies(name, Number((input.DesiredRuntimeConfig as Input).CopyCount));
      case 'DeleteInferenceComponent':
        return this.#deleteComponent(name);
      case 'DeleteEndpoint':
        return this.#deleteEndpoint(name);
      case 'DeleteEndpointConfig':
        this.#found(this.#configurations, 'endpoint configuration', name);
        if (this.#endpoints.has(name))
          this.cloud.breaks('AWS is asked for nothing that it forbids', `${operation} ${name}`);
        this.#configurations.delete(name);
        return {};
      case 'DeleteModel':
        this.#found(this.#models, 'model', name);
        if (this.#components.has(name))
          this.cloud.breaks('AWS is asked for nothing that it forbids', `${operation} ${name}`);
        this.#models.delete(name);
        return {};
    }
    throw new Error(`The simulation has no ${operation} of SageMaker.`);
  }

  #part(): Part {
    const { clock, faults, random } = this.cloud;
    const late = faults.strikes('state outdated', () => 'what SageMaker sees');
    return { seenMs: clock.now() + (late ? random.wait(UNSEEN_MILLISECONDS) : 0) };
  }

  #found<T>(parts: ReadonlyMap<string, T>, kind: string, name: string): T {
    const part = parts.get(name);
    if (part === undefined) throw missing(kind, name);
    return part;
  }

  /** What another request refers to, which may not be seen yet. */
  #seen(parts: ReadonlyMap<string, Part>, kind: string, name: string): void {
    if (this.#found(parts, kind, name).seenMs > this.cloud.clock.now()) throw missing(kind, name);
  }

  #make<T extends Part>(parts: Map<string, T>, kind: string, name: string, part: T): object {
    if (parts.has(name)) throw existing(kind, name);
    if (!this.deployments.has(name))
      this.cloud.breaks('no endpoint outlives its record', `the ${kind} ${name} is made without a record`);
    parts.set(name, part);
    return {};
  }

  #requireRoom(): void {
    const { instances } = this.cloud.swarm;
    if (this.running().length >= instances) throw noRoom(instances);
  }

  #createEndpoint(name: string): object {
    this.#seen(this.#configurations, 'endpoint configuration', name);
    if (!this.#endpoints.has(name)) this.#requireRoom();
    const { clock, faults, random, tell } = this.cloud;
    const endpoint: Endpoint = { ...this.#part(), status: 'Creating' };
    this.#make(this.#endpoints, 'endpoint', name, endpoint);
    const fails = faults.strikes('endpoint fails', () => name);
    clock.after(random.wait(CREATING_MILLISECONDS), () => {
      endpoint.status = fails ? 'Failed' : 'InService';
      tell(`the endpoint ${name} is ${endpoint.status}`);
    });
    return {};
  }

  #createComponent(name: string, input: Input): object {
    this.#seen(this.#endpoints, 'endpoint', String(input.EndpointName));
    this.#seen(this.#models, 'model', String((input.Specification as Input).ModelName));
    if (this.#endpoints.get(name)?.status !== 'InService')
      throw refusal('ValidationException', `The endpoint "${arnOf('endpoint', name)}" is not InService.`);
    const component: Component = { ...this.#part(), status: 'Creating', desired: 1, current: 0 };
    this.#make(this.#components, 'inference component', name, component);
    this.#begin(name, component);
    return {};
  }

  /** Brings the copies of a component to what it was told, some minutes later. */
  #begin(name: string, component: Component): void {
    const { clock, faults, random, tell } = this.cloud;
    const fails = component.desired > 0 && faults.strikes('endpoint fails', () => name);
    const mean = component.desired > 0 ? STARTING_MILLISECONDS : ENDING_MILLISECONDS;
    clock.after(random.wait(mean), () => {
      component.status = fails ? 'Failed' : 'InService';
      if (fails) component.desired = 0;
      component.current = component.desired;
      tell(`the model ${name} is ${component.status}, with ${component.current} copies`);
    });
  }

  #setCopies(name: string, copies: number): object {
    const component = this.#found(this.#components, 'inference component', name);
    if (component.status !== 'InService') throw inProgress('update', 'inference component', name);
    if (copies > 0 && !this.#hasInstance(name)) this.#requireRoom();
    if (copies === component.desired) return {};
    component.status = 'Updating';
    component.desired = copies;
    this.#begin(name, component);
    return {};
  }

  #deleteComponent(name: string): object {
    const component = this.#found(this.#components, 'inference component', name);
    if (component.status !== 'InService' && component.status !== 'Failed')
      throw inProgress('delete', 'inference component', name);
    component.status = 'Deleting';
    component.desired = 0;
    const { clock, random } = this.cloud;
    clock.after(random.wait(DELETING_MILLISECONDS), () => this.#components.delete(name));
    return {};
  }

  #deleteEndpoint(name: string): object {
    const endpoint = this.#found(this.#endpoints, 'endpoint', name);
    if (endpoint.status === 'Creating' || endpoint.status === 'Deleting')
      throw inProgress('update', 'endpoint', name);
    if (this.#components.has(name))
      this.cloud.breaks(
        'AWS is asked for nothing that it forbids',
        `DeleteEndpoint ${name} with its component`,
      );
    endpoint.status = 'Deleting';
    const { clock, random } = this.cloud;
    clock.after(random.wait(DELETING_MILLISECONDS), () => this.#endpoints.delete(name));
    return {};
  }
}
