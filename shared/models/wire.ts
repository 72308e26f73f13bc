import { need, resource } from '#shared/platform/runtime/need.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { systemClock } from './adapters/system-clock.ts';
import type { Clock } from './decide/clock.ts';

/** The time. */
export const theClock = /* @__PURE__ */ resource<Clock>('the clock', () => systemClock);

export const clock = /* @__PURE__ */ need({}, (use) => use(theClock));

/** The id of the model for a role; null without one. The function records it and calls no model. */
export const modelId = (role: ModelRole) =>
  need({ modelIds: [role] }, ({ env }) => env.optionalModelId(role));

/** The ids of the models for some roles, which the function records. */
export const modelIds = (roles: readonly ModelRole[]) =>
  need({ modelIds: roles }, ({ env }) => env.modelIds(roles));
