import { Command, InvalidArgumentError, Option } from 'commander';
import { ACCESS_KINDS, accessPolicy } from '#infra/access-policies.ts';

/**
 * `npm run policy -- KIND --stage NAME --account ID --region NAME`: prints the policy of IAM for those who run commands of the
 * project on a stage. It reads nothing of the account.
 */
const matching = (pattern: RegExp, what: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(`It has to be ${what}.`);
  return text;
};

const program = new Command('policy')
  .description('The policy of IAM for those who run commands of the project on a stage.')
  .argument('<kind>', `one of ${ACCESS_KINDS.join(', ')}`)
  .requiredOption('--stage <name>', 'the stage', matching(/^[a-z][a-z0-9]{0,11}$/, 'the name of a stage'))
  .requiredOption('--account <id>', 'the account', matching(/^\d{12}$/, 'the 12 digits of an account'))
  .requiredOption(
    '--region <name>',
    'the region',
    matching(/^[a-z]{2}(?:-[a-z]+)+-\d$/, 'the name of a region'),
  )
  .option(
    '--key <arn>',
    'the key of the stage, if it has one',
    matching(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a key'),
  )
  .addOption(
    new Option('--partition <name>', 'the partition').choices(['aws', 'aws-us-gov', 'aws-cn']).default('aws'),
  )
  .action(
    (
      kind: string,
      place: { stage: string; account: string; region: string; partition: string; key?: string },
    ) => {
      const found = ACCESS_KINDS.find((each) => each === kind);
      if (found === undefined) return program.error(`"${kind}" is none of ${ACCESS_KINDS.join(', ')}.`);
      process.stdout.write(`${JSON.stringify(accessPolicy(found, place), null, 2)}\n`);
    },
  );
program.parse();
