import { backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';

/** Memory of the largest function of the service, in MB. */
export const LARGEST_FUNCTION_MB = Math.max(
  ...pipelines.flatMap(({ tasks }) => Object.values(tasks).map(({ memoryMb }) => memoryMb)),
  ...backgroundFunctions.map(({ memoryMb }) => memoryMb),
);
