import { testCloud } from './test-cloud.ts';

/** Lets the AWS SDK of a test find the cloud of the tests; the tests of other projects know nothing of it. */
Object.assign(process.env, testCloud().environment);
