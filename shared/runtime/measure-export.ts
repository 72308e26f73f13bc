import { recordMetric } from './metrics.ts';

/** Counts an export file that is built, and how long that takes. */
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
