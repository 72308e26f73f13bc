/**
 * How SageMaker gives the reason for a failure that AWS has no instance at the moment: for training jobs "CapacityError: Unable to
 * provision requested ML compute capacity.", for endpoints "Unable to provision requested ML compute capacity due to
 * InsufficientInstanceCapacity error." (https://repost.aws/knowledge-center/sagemaker-endpoint-creation-fail, which advises to try again
 * after some minutes).
 */
const LACKS_CAPACITY =
  /insufficient(?:instance)?capacity|insufficient capacity|capacityerror|ml compute capacity/i;

/** Whether the `FailureReason` of a training job or endpoint says that AWS has no instance of its type at the moment. */
export const lacksCapacity = (reason: string | null | undefined): boolean =>
  LACKS_CAPACITY.test(reason ?? '');
