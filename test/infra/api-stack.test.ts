import { describe, expect, it } from 'vitest';
import { reservedFunctionIds } from '#infra/concurrency.ts';
import { endpointFunctionId, functionName } from '#infra/names.ts';
import { formatApiKey } from '#shared/access/decide/api-key.ts';
import { errorCatalog } from '#shared/platform/errors/catalog.ts';
import { Problem } from '#shared/platform/schema/problem.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import {
  EMULATED,
  flatten,
  propertiesOfFirst,
  type Resource,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesize.ts';

const dev = synthesize('dev');
const { api } = dev;
const emulated = synthesize('local', EMULATED);

const CORS_ORIGINS = 'https://app.example,http://localhost:5173';
const CONCURRENCY = {
  AUTHORIZER_CONCURRENCY: '20',
  ANSWERS_CONCURRENCY: '100',
  EVENTS_CONCURRENCY: '30',
  WEBHOOKS_CONCURRENCY: '10',
};
/** With every setting of the API that an operator may leave out: one synthesis for all of them. */
const extended = synthesize('dev', {
  CORS_ORIGINS,
  ...CONCURRENCY,
  FIREWALL_REQUESTS: '30000',
  DETAILED_METRICS: 'true',
  API_DOMAIN: 'api.example.org',
  API_CERTIFICATE_ARN: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f-1',
  TAGS: 'team=data,cost-center=42',
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

it('the routes are those of the contracts, and one for everything else', () => {
  expect([...methods.keys()].sort()).toEqual(
    [...contracts.map(({ method, path }) => `${method} ${path}`), 'ANY /{proxy+}'].sort(),
  );
  expect(methodOf('ANY /{proxy+}').AuthorizationType).toBe('NONE');
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
      ([, { Properties }]) => Properties?.FunctionName === functionName('dev', endpointFunctionId(contract)),
    )?.[0];
    const permissions = resourcesOf(api, 'AWS::Lambda::Permission').filter(([, { Properties }]) =>
      flatten(Properties.FunctionName).includes(`<${handler}.`),
    );

    expect(flatten(uri)).toContain(`<${handler}.Arn>`);
    expect(timeout).toBe(contract.streams !== undefined ? 900_000 : 29_000);
    expect(mode).toBe(contract.streams !== undefined ? 'STREAM' : undefined);
    expect(flatten(uri)).toMatch(
      contract.streams !== undefined ? /response-streaming-invocations$/ : /invocations$/,
    );
    expect(permissions).toHaveLength(1);
    expect(flatten(permissions[0]?.[1].Properties.SourceArn)).toContain(
      `/${contract.method}${contract.path.replaceAll(/\{[^}]+\}/g, '*')}`,
    );
  },
);

it('the routes share one authorizer that remembers a key for at most a minute', () => {
  const authorizers = resourcesOf(api, 'AWS::ApiGateway::Authorizer');

  expect(authorizers).toHaveLength(1);
  expect(authorizers[0]?.[1].Properties).toMatchObject({
    Type: 'TOKEN',
    AuthorizerResultTtlInSeconds: 60,
    IdentitySource: 'method.request.header.Authorization',
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
    for (const type of ['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR']) {
      expect(byType[type]).toMatchObject({
        StatusCode: '503',
        ResponseParameters: { 'gatewayresponse.header.retry-after': "'5'" },
      });
    }
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

  it('the stage logs each request as JSON without credentials, queries or bodies', () => {
    const { Format: format } = stage.AccessLogSetting as { Format: string };
    const logged = Object.values(JSON.parse(format) as Record<string, string>);

    expect(logged).toContain('$context.requestId');
    expect(format).not.toMatch(/authorization|header|querystring|body|apiKey|principal/i);
    for (const setting of stage.MethodSettings as object[]) {
      expect(setting).toMatchObject({
        DataTraceEnabled: false,
        LoggingLevel: 'ERROR',
        MetricsEnabled: false,
      });
    }
  });

  it('the stage is throttled and traced', () => {
    expect(stage.MethodSettings).toContainEqual(
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 200,
        ThrottlingBurstLimit: 400,
      }),
    );
    expect(stage.TracingEnabled).toBe(true);
  });

  it('the stage throttles every method without a key apart, and lower', () => {
    const settings = stage.MethodSettings as Record<string, unknown>[];
    const apart = settings
      .filter(({ ThrottlingRateLimit: rate }) => rate === 20)
      .map(
        ({ HttpMethod: method, ResourcePath: path }) =>
          `${method} ${String(path).slice(1).replaceAll('~1', '/')}`,
      );
    const open = [...methods].filter(([, { AuthorizationType: type }]) => type === 'NONE');

    // `ANY` is no method that settings may name.
    const routes = open.map(([route]) => route.replace('ANY ', '* '));
    expect(apart.sort()).toEqual(routes.sort());
    expect(settings).toHaveLength(open.length + 1);
  });

  it('the stage has a firewall before it only where the operator names what an address may send', () => {
    expect(resourcesOf(api, 'AWS::WAFv2::WebACL')).toEqual([]);
    const { api: guarded } = extended;
    const { Rules: rules, Scope: scope } = propertiesOfFirst(guarded, 'AWS::WAFv2::WebACL');

    expect(scope).toBe('REGIONAL');
    expect(rules).toMatchObject([
      {
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: {
            Limit: 3000,
            ScopeDownStatement: {
              NotStatement: {
                Statement: {
                  RegexMatchStatement: { FieldToMatch: { SingleHeader: { Name: 'authorization' } } },
                },
              },
            },
          },
        },
      },
      { Action: { Block: {} }, Statement: { RateBasedStatement: { Limit: 30_000, AggregateKeyType: 'IP' } } },
    ]);
    const { ResourceArn: arn } = propertiesOfFirst(guarded, 'AWS::WAFv2::WebACLAssociation');
    expect(flatten(arn)).toMatch(/:apigateway:REGION::\/restapis\/<Api.*>\/stages\/<Api.*>$/);
    const match = (rules as { Statement: { RateBasedStatement: { ScopeDownStatement?: unknown } } }[])[0];
    const [, pattern = ''] = /"RegexString":"([^"]+)"/.exec(JSON.stringify(match)) ?? [];
    const key = formatApiKey(new Uint8Array(32).fill(7));
    expect(`Bearer ${key}`.toLowerCase()).toMatch(new RegExp(pattern));
    expect(key.toLowerCase()).not.toMatch(new RegExp(pattern));
  });

  it('a domain of the operator is the base URL, and stays when the stack of the API is deleted', () => {
    const { api: withDomain, data } = extended;
    const mapping = propertiesOfFirst(withDomain, 'AWS::ApiGateway::BasePathMapping');
    const domain = propertiesOfFirst(data, 'AWS::ApiGateway::DomainName');
    const { CorsConfiguration } = propertiesOfFirst(data, 'AWS::S3::Bucket', 'Bucket');

    expect(withDomain.Outputs?.ApiUrl?.Value).toBe('https://api.example.org');
    expect(mapping).toMatchObject({ DomainName: 'api.example.org' });
    expect(mapping.BasePath).toBeUndefined();
    expect(flatten(mapping.Stage)).toMatch(/^<ApiDeploymentStage/);
    expect(domain).toMatchObject({
      DomainName: 'api.example.org',
      RegionalCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f-1',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    });
    expect(resourcesOf(withDomain, 'AWS::ApiGateway::DomainName')).toEqual([]);
    expect(flatten(data.Outputs?.DomainTarget?.Value)).toMatch(/RegionalDomainName/);
    expect(JSON.stringify(CorsConfiguration)).toContain('https://api.example.org');
    expect(resourcesOf(api, 'AWS::ApiGateway::BasePathMapping')).toEqual([]);
  });

  it('the stage is part of the URL that the stack tells', () => {
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

/** Every API of the region: its id is not known when the bucket is made. */
const CONSOLE_ORIGINS = {
  'Fn::Join': ['', ['https://*.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]],
};

describe('pages of other origins', () => {
  const told = (template: Template): string[] =>
    resourcesOf(template, 'AWS::Lambda::Function')
      .filter(([, { Properties }]) => {
        const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
        return Variables.CORS_ORIGINS === CORS_ORIGINS;
      })
      .map(([, { Properties }]) => String(Properties.FunctionName));
  const answering = contracts.map((contract) => functionName('dev', endpointFunctionId(contract)));

  it('pages of other origins get nothing unless they are named, but for files by presigned URLs on the console’s page', () => {
    const { CorsConfiguration } = propertiesOfFirst(dev.data, 'AWS::S3::Bucket', 'Bucket');

    expect(JSON.stringify(api)).not.toMatch(/cors|access-control/i);
    expect((CorsConfiguration as { CorsRules: { AllowedOrigins: unknown }[] }).CorsRules).toEqual([
      expect.objectContaining({ AllowedOrigins: [CONSOLE_ORIGINS] }),
    ]);
  });

  it('pages of other origins are known to every function that answers, and to the one that browsers ask beforehand', () => {
    expect(told(extended.api).sort()).toEqual([...answering, functionName('dev', 'api/fallback')].sort());
  });

  it('pages of other origins may read the errors that the gateway answers by itself, and when to come back', () => {
    for (const [, { Properties }] of resourcesOf(extended.api, 'AWS::ApiGateway::GatewayResponse')) {
      expect(Properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.access-control-allow-origin': "'*'",
        'gatewayresponse.header.access-control-expose-headers': expect.stringContaining('retry-after'),
      });
    }
  });

  it('pages of other origins may put files into the bucket, get them, and read the ETag', () => {
    const { CorsConfiguration } = propertiesOfFirst(extended.data, 'AWS::S3::Bucket', 'Bucket');

    expect(CorsConfiguration).toEqual({
      CorsRules: [
        {
          AllowedOrigins: [CONSOLE_ORIGINS, 'https://api.example.org', ...CORS_ORIGINS.split(',')],
          AllowedMethods: ['PUT', 'GET', 'HEAD'],
          AllowedHeaders: ['*'],
          ExposedHeaders: ['ETag'],
          MaxAge: 7200,
        },
      ],
    });
  });
});

describe('concurrent executions', () => {
  const reserved = (stage: typeof dev) =>
    new Map(
      [stage.api, stage.pipelines]
        .flatMap((template) => resourcesOf(template, 'AWS::Lambda::Function'))
        .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
        .map(([, { Properties }]) => [Properties.FunctionName, Properties.ReservedConcurrentExecutions]),
    );

  it('concurrent executions are kept for no function by default, since a new account has ten in all', () => {
    expect(reserved(dev)).toEqual(new Map());
  });

  it('concurrent executions are kept for the authorizer, streams and deliveries of webhooks as far as is set', () => {
    const found = reserved(extended);
    expect(found).toEqual(
      new Map([
        ['tunesmith-dev-api-authorizer', 20],
        ['tunesmith-dev-api-responses-create', 100],
        ['tunesmith-dev-api-chat-completions-create', 100],
        ['tunesmith-dev-api-mcp-call', 100],
        ['tunesmith-dev-api-events-list', 30],
        ['tunesmith-dev-consumers-deliver-webhook', 10],
      ]),
    );
    expect([...found.keys()].sort()).toEqual(
      Object.values(reservedFunctionIds)
        .flat()
        .map((id) => functionName('dev', id))
        .sort(),
    );
  });
});

it('the log of the gateway itself is there, with its end, before the stage that writes it', () => {
  const [id, group] =
    resourcesOf(api, 'AWS::Logs::LogGroup').find(([name]) => name.startsWith('ExecutionLogs')) ?? [];
  const stage = resourcesOf(api, 'AWS::ApiGateway::Stage')[0]?.[1];

  expect(flatten(group?.Properties.LogGroupName)).toMatch(/^API-Gateway-Execution-Logs_<Api[0-9A-F]+>\/dev$/);
  expect(stage?.DependsOn).toContain(id);
});

it('methods are measured one by one only where that is asked for', () => {
  const settings = ({ api }: typeof dev) =>
    (propertiesOfFirst(api, 'AWS::ApiGateway::Stage').MethodSettings as { MetricsEnabled: boolean }[]).map(
      ({ MetricsEnabled: isMeasured }) => isMeasured,
    );

  expect(new Set(settings(dev))).toEqual(new Set([false]));
  expect(new Set(settings(extended))).toEqual(new Set([true]));
});

it('every stack says which application and stage its resources belong to, and what the operator adds', () => {
  const { tags } = extended;

  expect(Object.keys(tags)).toHaveLength(4);
  for (const of of Object.values(tags)) {
    expect(of).toEqual({ application: 'tunesmith', stage: 'dev', team: 'data', 'cost-center': '42' });
  }
});
