import { Names, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';

/** The prefix of the service's API keys, in lower case like the rule's transformed header. */
const KEY_HEADER = '^bearer +pt_live_[0-9a-z]{49}$';
/** Divisor of an address's limit for requests without a key. */
const KEYLESS_SHARE = 10;
/** Minimum limit of a WAF rule. */
const REQUESTS_MIN = 10;

/** The visibility settings that WAF requires for a rule. */
const seenAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  sampledRequestsEnabled: false,
});

/**
 * Blocks an address that sends more than a number of requests in five minutes, or more than a tenth of it without a
 * header with a key, before the requests count against the throttles of the API or reach its authorizer.
 */
export function addFirewall(api: RestApi, requests: number): void {
  const rule = (
    name: string,
    priority: number,
    limit: number,
    scopeDownStatement?: CfnWebACL.StatementProperty,
  ): CfnWebACL.RuleProperty => ({
    name,
    priority,
    action: { block: {} },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        evaluationWindowSec: 300,
        limit: Math.max(REQUESTS_MIN, limit),
        ...(scopeDownStatement === undefined ? {} : { scopeDownStatement }),
      },
    },
    visibilityConfig: seenAs(name),
  });
  const withKey: CfnWebACL.StatementProperty = {
    regexMatchStatement: {
      fieldToMatch: { singleHeader: { Name: 'authorization' } },
      regexString: KEY_HEADER,
      textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
    },
  };
  const acl = new CfnWebACL(api, 'Firewall', {
    description: `Requests of an address to ${Names.uniqueResourceName(api, { maxLength: 64 })}`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    rules: [
      rule('RequestsWithoutKey', 0, Math.floor(requests / KEYLESS_SHARE), {
        notStatement: { statement: withKey },
      }),
      rule('RequestsOfAnAddress', 1, requests),
    ],
    visibilityConfig: seenAs('Firewall'),
  });
  new CfnWebACLAssociation(api, 'FirewallOfStage', {
    resourceArn: Stack.of(api).formatArn({
      service: 'apigateway',
      account: '',
      resource: '/restapis',
      resourceName: `${api.restApiId}/stages/${api.deploymentStage.stageName}`,
    }),
    webAclArn: acl.attrArn,
  });
}
