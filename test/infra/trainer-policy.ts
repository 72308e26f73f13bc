import { pathToFileURL } from 'node:url';
import { EMULATED, flatten, type Resource, resourcesOf, synthesize } from './synthesize.ts';

/** Names of what a trainer works with, in place of those of the stage. */
export interface TrainerResources {
  readonly bucketArn: string;
  readonly tableArn: string;
  readonly queueArn: string;
  /** The function that lends credentials. */
  readonly lenderArn: string;
}

/**
 * What the stacks allow on an emulator to the trainers, and to the role whose sessions are lent to them, for other
 * resources than the stage's. Run as a program, it prints both for `{bucket}`, `{table}`, `{queue}` and `{lender}`, which
 * the tests of the trainer for GPUs replace.
 */
export function trainerPoliciesFor({ bucketArn, tableArn, queueArn, lenderArn }: TrainerResources) {
  const { pipelines } = synthesize('local', EMULATED);
  const propertiesOf = (type: string, prefix: string): Resource['Properties'] => {
    const found = resourcesOf(pipelines, type).find(([id]) => id.startsWith(prefix));
    if (found === undefined) throw new Error(`The stacks have no ${prefix}.`);
    return found[1].Properties;
  };
  const resourceOf = (resource: unknown): string =>
    flatten(resource)
      .replace(/^BUCKET/, bucketArn)
      .replace(/^TABLE/, tableArn)
      .replace(/^arn:aws:lambda:.*$/, lenderArn)
      .replace(/^<.*Trainer.*>$/, queueArn);
  const render = (document: PolicyDocument): string =>
    JSON.stringify({
      ...document,
      Statement: document.Statement.map((statement) => ({
        ...statement,
        Resource: [statement.Resource].flat().map(resourceOf),
      })),
    });
  const { PolicyDocument: trainer } = propertiesOf('AWS::IAM::ManagedPolicy', 'TrainerPolicy') as {
    PolicyDocument: PolicyDocument;
  };
  const [attempt] = propertiesOf('AWS::IAM::Role', 'AttemptRole').Policies as [
    { PolicyDocument: PolicyDocument },
  ];
  return { trainer: render(trainer), attempt: render(attempt.PolicyDocument) };
}

interface PolicyDocument {
  readonly Statement: readonly { readonly Resource: unknown }[];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const placeholders = {
    bucketArn: '{bucket}',
    tableArn: '{table}',
    queueArn: '{queue}',
    lenderArn: '{lender}',
  };
  console.log(JSON.stringify(trainerPoliciesFor(placeholders)));
}
