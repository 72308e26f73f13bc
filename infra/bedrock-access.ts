/** Where a stage is deployed; `Stack` has these as tokens. */
export interface Place {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

interface ModelStatement {
  readonly sid: string;
  readonly actions: string[];
  readonly resources: string[];
  readonly conditions?: Record<string, Record<string, string | string[]>>;
}

/**
 * ARNs of models of Amazon Bedrock, by id, by inference profile or by the ARN of an application's own profile. A profile
 * sends a request to whichever of its regions has room, so its model has an ARN for every region.
 */
export function bedrockModelArns(
  { partition, region, account }: Place,
  ids: readonly string[],
): { readonly models: string[]; readonly profiles: { readonly profile: string; readonly model: string }[] } {
  const unique = [...new Set(ids)];
  const isProfileArn = (id: string): boolean => id.startsWith('arn:');
  const geography = /^(us|us-gov|eu|apac|au|ca|jp|global)\./;
  const models = unique.filter((id) => !isProfileArn(id) && !geography.test(id));
  const profiles = unique.filter((id) => isProfileArn(id) || geography.test(id));
  return {
    models: models.map((id) => `arn:${partition}:bedrock:${region}::foundation-model/${id}`),
    profiles: profiles.map((id) => ({
      profile: isProfileArn(id)
        ? id
        : `arn:${partition}:bedrock:${region}:${account}:inference-profile/${id}`,
      model: `arn:${partition}:bedrock:*::foundation-model/${isProfileArn(id) ? '*' : id.replace(geography, '')}`,
    })),
  };
}

/**
 * Statements for invoking models and looking up the applications' own profiles of them: those of profiles on the condition that the request comes through a profile of that
 * model. Statements of different models stay apart, since a condition holds for every resource of its statement.
 */
export function bedrockStatements(place: Place, ids: readonly string[]): ModelStatement[] {
  const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
  const { models, profiles } = bedrockModelArns(place, ids);
  const resources = [...models, ...profiles.map(({ profile }) => profile)];
  const own = profiles
    .map(({ profile }) => profile)
    .filter((arn) => arn.includes(':application-inference-profile/'));
  return [
    // Which model is behind an application's own profile only Bedrock tells.
    ...(own.length === 0
      ? []
      : [{ sid: 'ReadInferenceProfiles', actions: ['bedrock:GetInferenceProfile'], resources: own }]),
    ...(resources.length === 0 ? [] : [{ sid: 'InvokeModels', actions, resources }]),
    ...[...new Set(profiles.map(({ model }) => model))].map((model, index) => {
      const arns = profiles.filter((each) => each.model === model).map(({ profile }) => profile);
      return {
        sid: `InvokeModelOfProfile${index}`,
        actions,
        resources: [model],
        conditions: {
          StringLike: { 'bedrock:InferenceProfileArn': arns.length === 1 ? (arns[0] ?? '') : arns },
        },
      };
    }),
  ];
}

/** As long as names of AWS's partitions and regions are. */
const LONGEST_PLACE: Place = {
  partition: 'aws-us-gov',
  region: 'ap-southeast-1',
  account: '123456789012',
};

/** Characters that the statements take of a role's inline policy, wherever the stage is deployed. */
export const bedrockCharacters = (ids: readonly string[]): number =>
  bedrockStatements(LONGEST_PLACE, ids)
    .map(({ sid, actions, resources, conditions }) => ({
      Action: actions,
      Condition: conditions,
      Effect: 'Allow',
      Resource: resources,
      Sid: sid,
    }))
    .reduce((sum, statement) => sum + JSON.stringify(statement).length + 1, 0);
