import { randomUUID } from 'node:crypto';
import type { Channel } from '../../domain/confirmations/settings';
import type { SlowRule } from '../../domain/providers/slowness';
import { dialCodeOf } from '../../messages/phone-numbers';
import { errorName, type Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { type Rounds, startRounds } from '../../platform/rounds';
import { addLaneCounts, saveLaneStates } from '../../store/messages/provider-health.sql';
import { type DeliveryTimes, measureDeliveryTimes } from '../../store/messages/sends/delivery-times.sql';
import type { ProviderHealth } from './health';

/** A slow provider is noticed within this time, and `GET /v1/providers` is as old. Each round costs up to five short statements. */
const intervalMs = 30_000;

interface HealthWatchDependencies {
  pool: Pool;
  health: ProviderHealth;
  /** When a provider counts as slow, by channel. */
  rules: Readonly<Record<Channel, SlowRule>>;
  logger: Logger;
}

/**
 * Measures in each worker how fast messages arrive, and saves what the worker knows of providers for the API. An error
 * loses only the counts of one round.
 */
export function watchHealth(dependencies: HealthWatchDependencies): Rounds {
  const worker = randomUUID();
  let hasSaved = false;
  const round = async () => {
    const { pool, health, rules } = dependencies;
    for (const [channel, rule] of Object.entries(rules) as [Channel, SlowRule][])
      health.applyPace(channel, rule, byLane(channel, await measureDeliveryTimes(pool, channel, rule)));
    const counts = health.takeCounts();
    if (counts.length > 0) await addLaneCounts(pool, counts);
    const hindered = health.takeHindered();
    if (hindered.length > 0 || hasSaved) await saveLaneStates(pool, worker, hindered);
    hasSaved = hindered.length > 0;
  };
  return startRounds(intervalMs, round, (error) =>
    dependencies.logger.warn({ failure: errorName(error) }, 'the health of the providers could not be saved'),
  );
}

/** Adds up the deliveries to all phones of one country. */
function byLane(channel: Channel, times: readonly DeliveryTimes[]) {
  const lanes = new Map<string, Parameters<ProviderHealth['applyPace']>[2][number]>();
  for (const { owner, provider, digits, delivered, late, judged } of times) {
    const country = digits === null ? '' : (dialCodeOf(digits) ?? '');
    const key = `${owner} ${provider} ${country}`;
    const sum = lanes.get(key) ?? { lane: { owner, channel, provider, country }, delivered: 0, late: 0, judged: 0 };
    lanes.set(key, {
      ...sum,
      delivered: sum.delivered + delivered,
      late: sum.late + late,
      judged: sum.judged + judged,
    });
  }
  return [...lanes.values()];
}
