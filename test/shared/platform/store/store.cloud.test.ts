import { createCloudStore } from '#test/helpers/cloud-store.ts';
import { describeStore } from '#test/helpers/store-contract.ts';

describeStore('the store in the table', createCloudStore, (store) => store.remove());
