import { ModelError } from '../decide/port.ts';
import { toModelError } from './bedrock-errors.ts';

/** Whether an id is the ARN of an application's own inference profile, which does not name its model. */
export const isApplicationProfile = (modelId: string): boolean =>
  /^arn:.*:application-inference-profile\//.test(modelId);

/** The model behind an inference profile. */
export interface ProfiledModel {
  readonly modelId: string;
  /** Regions to which the profile sends requests. */
  readonly regions: number;
}

const ADVICE =
  'check that the inference profile is there and that the role may read it (bedrock:GetInferenceProfile)';

/** Looks up an inference profile. @throws {ModelError} */
export async function findProfiledModel(
  profileArn: string,
  region: string,
  signal?: AbortSignal,
): Promise<ProfiledModel> {
  const { BedrockClient, GetInferenceProfileCommand } = await import('@aws-sdk/client-bedrock');
  const client = new BedrockClient({ region });
  try {
    const { models = [] } = await client.send(
      new GetInferenceProfileCommand({ inferenceProfileIdentifier: profileArn }),
      signal === undefined ? {} : { abortSignal: signal },
    );
    const arns = models.flatMap(({ modelArn }) => modelArn ?? []);
    const modelId = arns[0]?.split('/').at(-1);
    if (modelId === undefined)
      throw new ModelError('misconfigured', `The inference profile has no model: ${ADVICE}`);
    return { modelId, regions: arns.length };
  } catch (error) {
    throw signal?.aborted ? signal.reason : toModelError(error, ADVICE);
  } finally {
    client.destroy();
  }
}
