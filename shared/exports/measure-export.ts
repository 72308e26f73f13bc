import { recordMetric } from '#shared/platform/runtime/metrics.ts';

/** Counts built export files and their durations. */
export async function measureExport<T>(format: string, build: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    const built = await build();
    recordMetric('ExportsBuilt', { format });
    recordMetric('ExportSeconds', { format }, (performance.now() - started) / 1000);
    return built;
  } catch (error) {
    recordMetric('ExportsFailed', { format });
    throw error;
  }
}
