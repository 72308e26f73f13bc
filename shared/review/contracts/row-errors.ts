/** The errors of everything that reads the rows of a version one by one. */
export const ROW_ERRORS = [
  'dataset_not_found',
  'no_data_yet',
  'column_mapping_required',
  'dataset_too_large',
  'rows_pending',
] as const;
