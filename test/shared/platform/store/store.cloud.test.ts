import { createCloudStore } from '#test/helpers/cloud-store.ts';
import { describeStore } from '#test/helpers/store-contract.ts';
import { describeTable } from '#test/helpers/table-contract.ts';

describeTable('the table', createCloudStore, (store) => store.remove());
describeStore('the store in the table', createCloudStore, (store) => store.remove());
