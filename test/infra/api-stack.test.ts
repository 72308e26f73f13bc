import { describe, expect, it } from 'vitest';
import { endpointFunctionId, functionName } from '#infra/names.ts';
import { contracts } from '#shared/contracts/index.ts';
import { errorCatalog } from '#shared/errors/catalog.ts';
import { Problem } from '#shared/schema/problem.ts';
import { flatten, propertiesOfFirst, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const { api } = synthesize('dev');
const emulated = synthesize('local', {
  AWS_ENDPOINT_URL: 'http://localhost:4566',
  MODEL_BASE_URL: 'http://localhost:1/v1',
  MODEL_ID: 'm',
});

/** `/api/v1/…` of every method, from the chain of its resources. */
function pathOf(resourceId: unknown): string {
  const reference = flatten(resourceId).replace(/^<(.*)>$/, '$1');
  const resource = api.Resources[reference];
  return resource === undefined
    ? ''
    : `${pathOf(resource.Properties.ParentId)}/${String(resource.Properties.PathPart)}`;
}

const methods: ReadonlyMap<string, Resource['Properties']> = new Map(
  resourcesOf(api, 'AWS::ApiGateway::Method').map(([, { Properties }]) => [
    `${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`,
    Properties,
  ]),
);

function methodOf(route: string): Resource['Properties'] {
  const method = methods.get(route);
  if (method === undefined) throw new Error(`no method ${route}`);
  return method;
}

describe('the routes', () => {
  it('are those of the contracts, and one for everything else', () => {
    expect([...methods.keys()].sort()).toEqual(
      [...contracts.map(({ method, path }) => `${method} ${path}`), 'ANY /{proxy+}'].sort(),
    );
    expect(methodOf('ANY /{proxy+}').AuthorizationType).toBe('NONE');
  });

  it('leave room below the 500 resources that CloudFormation takes', () => {
    expect(Object.keys(api.Resources).length).toBeLessThan(400);
  });

  it.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s needs a key exactly when its contract has a scope',
    (route, contract) => {
      const method = methodOf(route);

      expect(method.AuthorizationType).toBe(contract.scope === null ? 'NONE' : 'CUSTOM');
      expect(method.AuthorizerId === undefined).toBe(contract.scope === null);
    },
  );

  it.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s is answered by the function of its contract, which only it may invoke',
    (route, contract) => {
      const {
        Uri: uri,
        TimeoutInMillis: timeout,
        ResponseTransferMode: mode,
      } = methodOf(route).Integration as {
        Uri: unknown;
        TimeoutInMillis: number;
        ResponseTransferMode?: string;
      };
      const handler = Object.entries(api.Resources).find(
        ([, { Properties }]) =>
          Properties?.FunctionName === functionName('dev', endpointFunctionId(contract)),
      )?.[0];
      const permissions = resourcesOf(api, 'AWS::Lambda::Permission').filter(([, { Properties }]) =>
        flatten(Properties.FunctionName).includes(`<${handler}.`),
      );

      expect(flatten(uri)).toContain(`<${handler}.Arn>`);
      expect(timeout).toBe(contract.streams === true ? 900_000 : 29_000);
      expect(mode).toBe(contract.streams === true ? 'STREAM' : undefined);
      expect(flatten(uri)).toMatch(
        contract.streams === true ? /response-streaming-invocations$/ : /invocations$/,
      );
      expect(permissions).toHaveLength(1);
      expect(flatten(permissions[0]?.[1].Properties.SourceArn)).toContain(
        `/${contract.method}${contract.path.replaceAll(/\{[^}]+\}/g, '*')}`,
      );
    },
  );

  it('share one authorizer that remembers a key for at most a minute', () => {
    const authorizers = resourcesOf(api, 'AWS::ApiGateway::Authorizer');

    expect(authorizers).toHaveLength(1);
    expect(authorizers[0]?.[1].Properties).toMatchObject({
      Type: 'TOKEN',
      AuthorizerResultTtlInSeconds: 60,
      IdentitySource: 'method.request.header.Authorization',
    });
  });
});

describe('the answers of the gateway itself', () => {
  const responses = resourcesOf(api, 'AWS::ApiGateway::GatewayResponse').map(
    ([, { Properties }]) => Properties,
  );

  it.each(responses.map((response) => [String(response.ResponseType), response] as const))(
    '%s has the shape of every other error',
    (_type, response) => {
      const templates = response.ResponseTemplates as Record<string, string>;
      const body = Problem.parse(JSON.parse(templates['application/json'] ?? ''));

      expect(String(body.statusCode)).toBe(response.StatusCode);
      expect(errorCatalog[body.code].status).toBe(body.statusCode);
      expect(body.request_id).toBe('$context.requestId');
    },
  );

  it('an unknown route is a 404, a bad key a 401, too much at once a 429 that says when to come back', () => {
    const byType = Object.fromEntries(responses.map((response) => [response.ResponseType, response]));

    expect(byType.MISSING_AUTHENTICATION_TOKEN?.StatusCode).toBe('404');
    expect(byType.UNAUTHORIZED?.StatusCode).toBe('401');
    expect(byType.ACCESS_DENIED?.StatusCode).toBe('401');
    expect(byType.THROTTLED).toMatchObject({
      StatusCode: '429',
      ResponseParameters: { 'gatewayresponse.header.retry-after': "'1'" },
    });
    expect(byType.REQUEST_TOO_LARGE?.StatusCode).toBe('413');
    expect(byType.UNSUPPORTED_MEDIA_TYPE?.StatusCode).toBe('415');
    expect(byType.DEFAULT_4XX?.StatusCode).toBe('400');
    expect(byType.DEFAULT_5XX?.StatusCode).toBe('500');
    expect(byType.INTEGRATION_TIMEOUT?.StatusCode).toBe('503');
  });
});

it.each([
  ['UNAUTHORIZED', /missing or malformed: .*Send it as "Authorization: Bearer/],
  ['ACCESS_DENIED', /unknown or has been revoked/],
])('%s says what is wrong with the key and who issues keys', (type, message) => {
  const response = resourcesOf(api, 'AWS::ApiGateway::GatewayResponse').find(
    ([, { Properties }]) => Properties.ResponseType === type,
  )?.[1].Properties;
  const templates = response?.ResponseTemplates as Record<string, string>;
  const body = Problem.parse(JSON.parse(templates['application/json'] ?? ''));

  expect(body.code).toBe('unauthorized');
  expect(body.message).toMatch(message);
  expect(body.message).toContain('npm run admin -- key create');
});

describe('the stage', () => {
  const stage = propertiesOfFirst(api, 'AWS::ApiGateway::Stage');

  it('logs each request as JSON without credentials, queries or bodies', () => {
    const { Format: format } = stage.AccessLogSetting as { Format: string };
    const logged = Object.values(JSON.parse(format) as Record<string, string>);

    expect(logged).toContain('$context.requestId');
    expect(format).not.toMatch(/authorization|header|querystring|body|apiKey|principal/i);
    expect(stage.MethodSettings).toEqual([
      expect.objectContaining({ DataTraceEnabled: false, LoggingLevel: 'ERROR' }),
    ]);
  });

  it('is throttled and traced', () => {
    expect(stage.MethodSettings).toEqual([
      expect.objectContaining({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 }),
    ]);
    expect(stage.TracingEnabled).toBe(true);
  });

  it('is part of the URL that the stack tells', () => {
    expect(flatten(api.Outputs?.ApiUrl?.Value)).toMatch(/^https:\/\/<Api.*>\.execute-api\.REGION\..*\/dev$/);
    expect(flatten(emulated.api.Outputs?.ApiUrl?.Value)).toMatch(
      /^http:\/\/localhost:4566\/_aws\/execute-api\/<Api.*>\/local$/,
    );
  });
});

it('the API is regional, and keeps its id over restarts of an emulator', () => {
  const restApi = propertiesOfFirst(api, 'AWS::ApiGateway::RestApi');
  const local = propertiesOfFirst(emulated.api, 'AWS::ApiGateway::RestApi');

  expect(restApi.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
  expect(restApi.Tags).toBeUndefined();
  expect(local.Tags).toEqual([{ Key: 'ms-custom-id', Value: 'tunesmith-local' }]);
});
