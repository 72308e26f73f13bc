import { describe, expect, it } from 'vitest';
import { functionIds, functionName } from '#infra/names.ts';
import { serviceOf } from '#shared/platform/contracts/metrics.ts';
import { SPAN_MESSAGES } from '#shared/telemetry/schema/log-batch.ts';
import { configFor, EVERYTHING, flatten, resourcesOf, synthesize, type Template } from './synthesize.ts';

const FORWARDER = 'consumers/forward-telemetry';
/** Runs code of strangers, who may write what they like. */
const SEALED = 'tasks/witnesses/run-code';

const everything = synthesize('dev', EVERYTHING);
const least = synthesize('dev');

const variablesOf = (template: Template, functionId: string): Record<string, unknown> | undefined => {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName('dev', functionId),
  );
  return (found?.[1].Properties.Environment as { Variables: Record<string, unknown> } | undefined)?.Variables;
};

describe('telemetry by OpenTelemetry', () => {
  it('telemetry is read from the log of each function but its own, and those in which code of strangers runs', () => {
    const filters = [everything.pipelines, everything.api].flatMap((template) =>
      resourcesOf(template, 'AWS::Logs::SubscriptionFilter').map(([, filter]) => filter),
    );
    const groups = filters.map(({ Properties }) => Properties.LogGroupName);
    const expected = functionIds
      .filter((id) => id !== FORWARDER && id !== SEALED)
      .map((id) => `/aws/lambda/${functionName('dev', id)}`);

    expect(groups.sort()).toEqual(expected.sort());
    for (const filter of filters) {
      expect(flatten(filter.Properties.DestinationArn)).toBe(
        `arn:aws:lambda:REGION:ACCOUNT:function:${functionName('dev', FORWARDER)}`,
      );
      const pattern = String(filter.Properties.FilterPattern);
      for (const message of SPAN_MESSAGES) expect(pattern).toContain(`($.message = "${message}")`);
      expect(pattern).toContain('($._aws.CloudWatchMetrics[0].Namespace = "Tunesmith")');
    }
  });

  it('telemetry has four subscriptions made at a time, since more are refused', () => {
    for (const template of [everything.pipelines, everything.api]) {
      const filters = resourcesOf(template, 'AWS::Logs::SubscriptionFilter');
      const ids = filters.map(([id]) => id);
      const first = filters.filter(
        ([, { DependsOn }]) => ![DependsOn].flat().some((id) => ids.includes(String(id))),
      );
      expect(filters.length).toBeGreaterThan(20);
      expect(first).toHaveLength(4);
    }
  });

  it('telemetry is sent by one function, which the logs of the stage alone may invoke', () => {
    const [[, permission] = [], ...others] = resourcesOf(
      everything.pipelines,
      'AWS::Lambda::Permission',
    ).filter(([, { Properties }]) => Properties.Principal === 'logs.amazonaws.com');

    expect(others).toEqual([]);
    expect(permission?.Properties.FunctionName).toBe(functionName('dev', FORWARDER));
    expect(flatten(permission?.Properties.SourceArn)).toBe(
      'arn:aws:logs:REGION:ACCOUNT:log-group:/aws/lambda/tunesmith-dev-*:*',
    );
  });

  it('telemetry is given the receiver and the name of the secret with its headers, which no template holds', () => {
    expect(variablesOf(everything.pipelines, FORWARDER)).toMatchObject({
      OTLP_ENDPOINT: 'https://collector.example/otlp',
      SECRET_ARN_TELEMETRY_HEADERS: 'tunesmith/dev/telemetry-headers',
      MODEL_PROVIDER: 'bedrock',
    });
    const [[, secret] = []] = resourcesOf(everything.data, 'AWS::SecretsManager::Secret').filter(
      ([, { Properties }]) => Properties.Name === 'tunesmith/dev/telemetry-headers',
    );
    expect(secret?.Properties.SecretString).toBe('unset');
  });

  it('telemetry that is off leaves nothing in the templates, and functions log no calls of models', () => {
    const { data, pipelines, api, operations } = least;
    const text = JSON.stringify([data, pipelines, api, operations]);

    expect(text).not.toContain('SubscriptionFilter');
    expect(text).not.toContain('telemetry');
    expect(variablesOf(least.pipelines, 'tasks/adapt/adapt-chunk')).not.toHaveProperty('MODEL_CALL_LOGS');
    expect(variablesOf(everything.pipelines, 'tasks/adapt/adapt-chunk')).toMatchObject({
      MODEL_CALL_LOGS: 'true',
    });
  });

  it('telemetry waits for executions that are kept for it, which is no alarm', () => {
    const bounded = synthesize('dev', { ...EVERYTHING, TELEMETRY_CONCURRENCY: '5' });
    const [[, forwarder] = []] = resourcesOf(bounded.pipelines, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.FunctionName === functionName('dev', FORWARDER),
    );
    const alarm = (name: string): string =>
      JSON.stringify(
        resourcesOf(bounded.operations, 'AWS::CloudWatch::Alarm').find(
          ([, { Properties }]) => Properties.AlarmName === `tunesmith-dev-${name}`,
        )?.[1].Properties,
      );

    expect(forwarder?.Properties.ReservedConcurrentExecutions).toBe(5);
    expect(alarm('functions-throttled')).toContain(functionName('dev', FORWARDER));
    expect(alarm('telemetry-lost')).toContain(serviceOf('dev'));
    expect(alarm('telemetry-lost')).toContain('AsyncEventsDropped');
  });

  it.each([
    'collector.example',
    'ftp://collector.example',
    'https://user:key@collector.example',
    'https://collector.example/?api_key=KEY',
  ])('telemetry is refused the receiver %s', (endpoint) => {
    expect(() => configFor('dev', { OTLP_ENDPOINT: endpoint })).toThrow(/headers are in a secret/);
  });
});
