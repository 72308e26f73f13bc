import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { describeDataset as describe } from '../describe-dataset.ts';
import { createDatasetRepository } from '../store/datasets.ts';

type DescribeDataset = (input: Parameters<typeof describe>[1]) => ReturnType<typeof describe>;

const describers = /* @__PURE__ */ models(['describe'], () => 1);

export const describeDataset = /* @__PURE__ */ need<DescribeDataset>(
  [describers, { table: 'write', bucket: { read: ['datasets'] } }],
  (use) => async (input) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
      model: (await use(describers)()).generator('describe'),
    };
    return describe(ports, input);
  },
);
