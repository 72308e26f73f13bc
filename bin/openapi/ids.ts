/** Ids that the examples of the document share. */
export const ids = {
  dataset: '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
  secondDataset: '9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42',
  newDataset: 'd2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65',
  user: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  run: 'a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93',
  training: '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40',
  comparison: '2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65',
  job: 'e4b0c9d8-1f2a-4b3c-8d5e-6f7a8b9c0d1e',
  combineJob: 'c0ffee00-58a4-4b8e-a2b1-6d6c1f0e7d42',
  pilot: 'b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30',
  customEval: '5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42',
  webhook: 'b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11',
  response: 'resp_0f6f1d5b8a103f0c5a522c0a4c538f4e',
  request: '4f6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e',
} as const;

/** Keys of uploaded files. */
export const uploadKeys = {
  single: `uploads/${ids.user}/0f6f1d5b.csv`,
  more: `uploads/${ids.user}/${ids.dataset}/append-more.csv`,
  may: `uploads/${ids.user}/${ids.dataset}/may.csv`,
  june: `uploads/${ids.user}/${ids.dataset}/june.csv`,
} as const;
