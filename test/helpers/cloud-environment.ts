import { controlScriptedModel, STANDARD_SCRIPT } from './scripted-control.ts';
import { scriptSearch } from './scripted-search.ts';
import { testCloud } from './test-cloud.ts';

const cloud = testCloud();

/** Lets the AWS SDK of a test find the cloud of the tests; the tests of other projects know nothing of it. */
Object.assign(process.env, cloud.environment);

/** No file meets what an earlier one scripted. */
await controlScriptedModel(cloud.modelUrl).setScript(STANDARD_SCRIPT);
await scriptSearch(cloud.searchUrl, {});
