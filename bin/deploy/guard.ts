/** Alarms that take a guarded change back, at most CloudFormation's five. */
export const GUARDS = [
  'api-errors',
  'functions-failed',
  'runs-failed',
  'executions-failed',
  'answers-failed',
];

const TRIGGERS = '--rollback-trigger-alarm-arns';

/** The CDK's options for a change that alarms take back, for these minutes after each stack. */
export const guarded = (alarmArns: readonly string[], minutes: number): string[] => [
  ...alarmArns.flatMap((arn) => [TRIGGERS, arn]),
  ...['--monitoring-time-minutes', String(minutes)],
];

/**
 * The CDK's options for a change that no alarm takes back. CloudFormation keeps the triggers of an earlier update, so without
 * these a change that mends a red alarm would be taken back by it.
 * @param forwarded options that the caller gives the CDK; triggers among them are the caller's decision
 */
export const unguarded = (forwarded: readonly string[]): string[] =>
  forwarded.some((option) => option === TRIGGERS || option.startsWith(`${TRIGGERS}=`))
    ? []
    : [TRIGGERS, 'none', '--monitoring-time-minutes', '0'];

/**
 * CloudFormation takes a change back at once if an alarm that it watches is on already.
 * @param alarmsOn names of the watched alarms that are in the state ALARM
 * @throws {Error} that names them
 */
export function requireQuiet(alarmsOn: readonly string[]): void {
  if (alarmsOn.length === 0) return;
  throw new Error(
    `Nothing was changed. These alarms are on, and would take the change back: ${alarmsOn.join(', ')}. ` +
      'Wait until they are off (docs/operations/watch.md says what they mean), or deploy what mends them without --guard.',
  );
}
