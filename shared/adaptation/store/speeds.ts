import * as z from 'zod';
import { keys } from '#shared/platform/store/keys.ts';
import { getItem, putItem, type Table } from '#shared/platform/store/table.ts';
import { SpeedObservation, type SpeedStore, withObservation } from '../decide/speed.ts';

/** Days after which the measured speed of a kind of run expires. */
const SPEED_DAYS = 90;

const Observations = z.array(SpeedObservation);

/** One small item for each model and kind. Of two runs that end at the same moment, one may be lost. */
export function createSpeedStore(table: Table): SpeedStore {
  const findSpeed: SpeedStore['findSpeed'] = async (modelId, shape) => {
    const item = await getItem(table, keys.speed(modelId, shape));
    return item === null ? [] : Observations.parse(item.observations);
  };
  return {
    findSpeed,
    async recordSpeed(modelId, shape, observation) {
      await putItem(table, {
        ...keys.speed(modelId, shape),
        observations: withObservation(await findSpeed(modelId, shape), observation),
        expires_at: Math.floor(table.now() / 1000) + SPEED_DAYS * 86_400,
      });
    },
  };
}
