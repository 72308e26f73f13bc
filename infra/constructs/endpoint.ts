import { Duration, Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type IAuthorizer,
  LambdaIntegration,
  type Method,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { settingOf } from '../concurrency.ts';
import type { Config } from '../config.ts';
import type { DataResources } from '../grants.ts';
import { endpointFunctionId } from '../names.ts';
import { permissionsOf } from '../permissions.ts';
import { ServiceFunction } from './service-function.ts';

/** Timeout of API functions, below the gateway's. */
export const API_FUNCTION_SECONDS = 25;
const INTEGRATION_SECONDS = 29;
/** Maximum duration of a streamed response. */
const STREAM_SECONDS = 900;

export interface EndpointProps {
  readonly contract: EndpointContract;
  /** The nested stack of the function. */
  readonly functions: Construct;
  readonly api: RestApi;
  readonly authorizer: IAuthorizer;
  readonly config: Config;
  readonly data: DataResources;
}

/**
 * One route with its function. The route is in the API stack, whose deployment includes all routes; the function and the
 * gateway's permission to invoke it are in a nested stack, so that a route takes two resources of the API stack's 500.
 */
export class Endpoint extends Construct {
  readonly method: Method;

  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id);
    const { contract, functions, api, authorizer, config, data } = props;
    const functionId = endpointFunctionId(contract);
    const streams = contract.streams !== undefined;
    const setting = settingOf(contract);
    const { function: handler } = new ServiceFunction(functions, id, {
      functionId,
      description: contract.summary,
      uses: permissionsOf(functionId),
      memoryMb: contract.memoryMb ?? (contract.streams === 'body' ? 1024 : 512),
      timeoutSeconds: streams ? STREAM_SECONDS : API_FUNCTION_SECONDS + 2,
      countsRequests: contract.scope !== null,
      answersBrowsers: true,
      reservedConcurrency: setting === null ? null : config.concurrency[setting],
      config,
      data,
    });
    handler.addPermission('InvokedByRoute', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      // The name of the stage, not the stage: that depends on every route, and each route on its function's stack.
      sourceArn: api.arnForExecuteApi(
        contract.method,
        contract.path.replaceAll(/\{[^{}]+\}/g, '*'),
        config.stage,
      ),
    });
    const permitted = LambdaFunction.fromFunctionAttributes(this, 'Permitted', {
      functionArn: handler.functionArn,
      skipPermissions: true,
    });
    this.method = api.root.resourceForPath(contract.path).addMethod(
      contract.method,
      new LambdaIntegration(permitted, {
        proxy: true,
        allowTestInvoke: false,
        // An emulator does not stream: there the response is sent in one piece.
        ...(streams && !config.emulated
          ? { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.seconds(STREAM_SECONDS) }
          : { timeout: Duration.seconds(INTEGRATION_SECONDS) }),
      }),
      contract.scope === null
        ? { authorizationType: AuthorizationType.NONE }
        : { authorizationType: AuthorizationType.CUSTOM, authorizer },
    );
    if (contract.scope === null) {
      Validations.of(this.method).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'The contract opens this route to everyone: it serves documentation and no data.',
      });
    }
  }
}
