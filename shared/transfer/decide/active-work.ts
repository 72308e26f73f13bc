import type { Belonging } from './ports.ts';

/** In words, if the item is of work that has not ended; null for all others. */
export function activeWork({ kind, item }: Belonging): string | null {
  const isOpen = ['pending', 'running'].includes(String(item.status));
  if (kind === 'run' && isOpen) return `run ${item.run_id} (${item.pipeline}) of dataset ${item.dataset_id}`;
  if (kind === 'dataset' && item.state === 'deleted') return `deletion of dataset ${item.dataset_id}`;
  if (kind === 'training' && isOpen) return `training ${item.experiment_id}`;
  if (kind === 'customEval' && isOpen) {
    return `custom evaluation ${item.custom_eval_id} of dataset ${item.dataset_id}`;
  }
  if (kind === 'evaluation' && isOpen)
    return `evaluation of run ${item.run_id} of dataset ${item.dataset_id}`;
  if (kind === 'activeTraining' || kind === 'activePilot') return `${item.pk}: ${kind}`;
  if (kind === 'hold' && item.state === 'held') return `hold of run ${item.run_id}`;
  if (kind === 'meterShard' && Number(item.open ?? 0) > 0) return `${item.open} answers`;
  return null;
}
