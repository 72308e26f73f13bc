import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes: begun last, one of them would go on alone while the other workers have nothing left to do. */
const longest = [
  'schemathesis.cloud.test.ts',
  'client.cloud.test.ts',
  'client-datasets.cloud.test.ts',
  'faults.cloud.test.ts',
  'trained-model.model.test.ts',
  'checks.test.ts',
  'conformance.test.ts',
  'bad-documents.test.ts',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
