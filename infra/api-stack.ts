import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { contracts } from '#shared/contracts/index.ts';
import { serviceOf } from '#shared/contracts/metrics.ts';
import type { Uses } from '#shared/contracts/uses.ts';
import type { Config } from './config.ts';
import { Endpoint } from './constructs/endpoint.ts';
import { ServiceFunction } from './constructs/service-function.ts';
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
import { logRetention, removalPolicy } from './retention.ts';

/** The authorizer looks a key up, and its team and plan. */
export const authorizerUses: Uses = { table: 'read' };

/** Seconds for which the gateway remembers a key: as long as that, a revoked one still works. */
const AUTHORIZER_CACHE_SECONDS = 60;

/** Neither the query nor any header is logged: the first can hold a search, the others the key. */
const accessLogOf = (stage: string): Record<string, string> => ({
  service: serviceOf(stage),
  request_id: '$context.requestId',
  /** What functions log, and callers get as `x-request-id`. */
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

/** The REST API: a route and a function for each contract, and one authorizer for those that need a key. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, data: DataResources, props?: StackProps) {
    super(scope, id, props);

    const logGroup = new LogGroup(this, 'AccessLogs', {
      logGroupName: apiAccessLogName(config.stage),
      retention: logRetention(config),
      removalPolicy: removalPolicy(config),
    });
    const api = new RestApi(this, 'Api', {
      restApiName: apiName(config.stage),
      description: 'Adapts, scores and serves datasets',
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway writes logs only once the account names a role for it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        tracingEnabled: true,
        metricsEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        // Data traces would hold bodies.
        dataTraceEnabled: false,
        throttlingRateLimit: config.throttle.requestsPerSecond,
        throttlingBurstLimit: config.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogOf(config.stage))),
      },
    });
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'The policy that API Gateway’s account setting asks for; it allows writing logs.',
    });
    // Keeps the API's id, and so its URL, over restarts of an emulator.
    if (config.emulated) Tags.of(api).add('ms-custom-id', `tunesmith-${config.stage}`);
    addGatewayResponses(api);

    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: new ServiceFunction(this, constructIdOf(AUTHORIZER_FUNCTION_ID), {
        functionId: AUTHORIZER_FUNCTION_ID,
        description: 'Finds out who holds an API key',
        uses: authorizerUses,
        memoryMb: 512,
        timeoutSeconds: 5,
        config,
        data,
      }).function,
      resultsCacheTtl: Duration.seconds(AUTHORIZER_CACHE_SECONDS),
    });
    for (const contract of contracts) {
      new Endpoint(this, constructIdOf(endpointFunctionId(contract)), {
        contract,
        api,
        authorizer,
        config,
        data,
      });
    }

    addFallback(this, api, config, data);

    new CfnOutput(this, 'ApiUrl', {
      value:
        config.emulatorUrl === null
          ? `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${config.stage}`
          : `${config.emulatorUrl}/_aws/execute-api/${api.restApiId}/${config.stage}`,
      description: 'Base URL, with the stage',
    });
    new CfnOutput(this, 'ApiId', { value: api.restApiId });
  }
}

/**
 * Adds one route for every path and method that no contract has. API Gateway resolves a resource and its method together,
 * so that a known path with another method comes here as well.
 */
function addFallback(stack: ApiStack, api: RestApi, config: Config, data: DataResources): void {
  const handler = new ServiceFunction(stack, constructIdOf(FALLBACK_FUNCTION_ID), {
    functionId: FALLBACK_FUNCTION_ID,
    description: 'Answers for routes and methods that the API does not have',
    uses: {},
    memoryMb: 512,
    timeoutSeconds: 5,
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
