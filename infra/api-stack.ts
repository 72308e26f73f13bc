import {
  CfnOutput,
  Duration,
  NestedStack,
  RemovalPolicy,
  Size,
  Stack,
  type StackProps,
  Tags,
  Validations,
} from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  CfnBasePathMapping,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  RestApi,
  type RestApiProps,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { serviceOf } from '#shared/platform/contracts/metrics.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';
import { endpointsByStack } from '#shared/service/contracts/index.ts';
import type { Config } from './config.ts';
import { Endpoint } from './constructs/endpoint.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { addFirewall } from './firewall.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { DataResources } from './grants.ts';
import {
  AUTHORIZER_FUNCTION_ID,
  apiAccessLogName,
  apiName,
  constructIdOf,
  endpointFunctionId,
  FALLBACK_FUNCTION_ID,
} from './names.ts';
import { permissionsOf } from './permissions.ts';
import { addLogGroup } from './retention.ts';
import { forwardLogs } from './telemetry.ts';

/** Seconds for which the gateway caches a key; a revoked key stays valid for that long. */
const AUTHORIZER_CACHE_SECONDS = 60;

/** Below this, a compressed answer is hardly smaller. */
const COMPRESSED_FROM_BYTES = 2048;

/** Throttle of each method without a key: readers of the documentation, and mistyped paths. */
const OPEN_THROTTLE = { throttlingRateLimit: 20, throttlingBurstLimit: 40 } as const;

/**
 * The settings of methods without a key. Settings of a method replace the defaults of all methods, so those are
 * repeated.
 */
function openMethods(all: MethodDeploymentOptions): Record<string, MethodDeploymentOptions> {
  const open = Object.values(endpointsByStack)
    .flat()
    .filter(({ scope }) => scope === null)
    .map(({ method, path }) => `${path}/${method}`);
  // Settings name a method or `*`; `ANY` is neither, and was refused (https://github.com/serverless-heaven/serverless-aws-alias/pull/81).
  return Object.fromEntries([...open, '/{proxy+}/*'].map((path) => [path, { ...all, ...OPEN_THROTTLE }]));
}

/** Neither the query nor any header is logged: the query may contain a search, the headers the key. */
const accessLogOf = (stage: string): Record<string, string> => ({
  service: serviceOf(stage),
  request_id: '$context.requestId',
  /** The id in the functions' logs, which callers get as `x-request-id`. */
  function_request_id: '$context.integration.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  authorizer_status: '$context.authorizer.status',
  error_type: '$context.error.responseType',
});

/**
 * The REST API: a route and a function for each contract, and one authorizer for routes with a key. The functions of
 * each capability are in a nested stack, so that no template comes near CloudFormation's limits.
 */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, data: DataResources, props?: StackProps) {
    super(scope, id, props);

    const logGroup = addLogGroup(this, 'AccessLogs', apiAccessLogName(config.stage), config);
    const methodOptions: MethodDeploymentOptions = {
      metricsEnabled: config.detailedMetrics,
      loggingLevel: MethodLoggingLevel.ERROR,
      // Data traces would log bodies.
      dataTraceEnabled: false,
    };
    const api = new RestApi(this, 'Api', {
      restApiName: apiName(config.stage),
      description: 'Adapts, scores and serves datasets',
      ...reachOf(this, config),
      // Bytes of files in forms; other bodies are text.
      binaryMediaTypes: ['multipart/form-data'],
      // Where the client accepts it. Streamed answers are never compressed.
      minCompressionSize: Size.bytes(COMPRESSED_FROM_BYTES),
      // API Gateway writes logs only after the account has a role for it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        tracingEnabled: true,
        ...methodOptions,
        throttlingRateLimit: config.throttle.requestsPerSecond,
        throttlingBurstLimit: config.throttle.burst,
        methodOptions: openMethods(methodOptions),
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogOf(config.stage))),
      },
    });
    // API Gateway would create this group itself, without a retention.
    const executionLogs = addLogGroup(
      this,
      'ExecutionLogs',
      `API-Gateway-Execution-Logs_${api.restApiId}/${config.stage}`,
      config,
    );
    api.deploymentStage.node.addDependency(executionLogs);
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'The policy that API Gateway’s account setting asks for; it allows writing logs.',
    });
    // Keeps the API's id, and so its URL, across restarts of an emulator.
    if (config.emulated) Tags.of(api).add('ms-custom-id', `tunesmith-${config.stage}`);
    addGatewayResponses(api, config.corsOrigins);

    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: new ServiceFunction(this, constructIdOf(AUTHORIZER_FUNCTION_ID), {
        functionId: AUTHORIZER_FUNCTION_ID,
        description: 'Finds out who holds an API key',
        uses: permissionsOf(AUTHORIZER_FUNCTION_ID),
        memoryMb: 512,
        // A time-out here is a 500 for the caller, and the first calls of many keys at once all start cold.
        timeoutSeconds: 10,
        reservedConcurrency: config.concurrency.authorizer,
        config,
        data,
      }).function,
      resultsCacheTtl: Duration.seconds(AUTHORIZER_CACHE_SECONDS),
    });
    for (const [capability, contracts] of Object.entries(endpointsByStack)) {
      const functions = new NestedStack(this, constructIdOf(capability), {
        description: `Tunesmith (${config.stage}): functions of the API, ${capability}`,
      });
      for (const contract of contracts) {
        new Endpoint(this, constructIdOf(endpointFunctionId(contract)), {
          contract,
          functions,
          api,
          authorizer,
          config,
          data,
        });
      }
    }

    addFallback(this, api, config, data);
    if (config.telemetry !== null) forwardLogs(this, config, []);
    if (config.addressRequests !== null) addFirewall(api, config.addressRequests);

    addAddress(this, api, config);
    new CfnOutput(this, 'Release', { value: RELEASE });
  }
}

/** From where the API can be reached: the internet, or some endpoints of private networks alone. */
function reachOf(
  stack: ApiStack,
  { apiVpcEndpoints }: Config,
): Pick<RestApiProps, 'endpointConfiguration' | 'policy'> {
  if (apiVpcEndpoints.length === 0) return { endpointConfiguration: { types: [EndpointType.REGIONAL] } };
  return {
    endpointConfiguration: {
      types: [EndpointType.PRIVATE],
      vpcEndpoints: apiVpcEndpoints.map((vpcEndpointId) =>
        InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(stack, vpcEndpointId, {
          vpcEndpointId,
          port: 443,
        }),
      ),
    },
    // Who comes by another way is refused, since nothing else is allowed. Keys are the authorizer's.
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({
          principals: [new AnyPrincipal()],
          actions: ['execute-api:Invoke'],
          resources: ['execute-api:/*'],
          conditions: { StringEquals: { 'aws:SourceVpce': [...apiVpcEndpoints] } },
        }),
      ],
    }),
  };
}

/** The API's base URL: that of the operator's domain, where there is one. */
function addAddress(stack: ApiStack, api: RestApi, { domain, emulatorUrl, stage }: Config): void {
  const addresses = {
    gateway: `https://${api.restApiId}.execute-api.${stack.region}.${stack.urlSuffix}/${stage}`,
    emulator: `${emulatorUrl}/_aws/execute-api/${api.restApiId}/${stage}`,
  };
  if (domain !== null) {
    // Without a path: callers see neither the id of the API nor the stage.
    new CfnBasePathMapping(stack, 'DomainMapping', {
      domainName: domain.name,
      restApiId: api.restApiId,
      stage: api.deploymentStage.stageName,
    });
  }
  const own = emulatorUrl === null ? addresses.gateway : addresses.emulator;
  new CfnOutput(stack, 'ApiUrl', {
    value: domain === null ? own : `https://${domain.name}`,
    description: 'Base URL',
  });
  new CfnOutput(stack, 'ApiId', { value: api.restApiId });
}

/**
 * Adds one route for all other paths and methods. API Gateway resolves a resource together with its method, so a known
 * path with another method is routed here too, including preflight requests.
 */
function addFallback(stack: ApiStack, api: RestApi, config: Config, data: DataResources): void {
  const handler = new ServiceFunction(stack, constructIdOf(FALLBACK_FUNCTION_ID), {
    functionId: FALLBACK_FUNCTION_ID,
    description: 'Answers for routes and methods that the API does not have',
    uses: permissionsOf(FALLBACK_FUNCTION_ID),
    memoryMb: 512,
    timeoutSeconds: 5,
    answersBrowsers: true,
    config,
    data,
  }).function;
  const method = api.root
    .addResource('{proxy+}')
    .addMethod('ANY', new LambdaIntegration(handler, { proxy: true, allowTestInvoke: false }), {
      authorizationType: AuthorizationType.NONE,
    });
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'It says which routes there are, which the open documentation says as well, and reads no data.',
  });
}
