import { LRUCache } from 'lru-cache';
import { afterMessage, beforeMessage, type Breaker, closedBreaker, isOpen } from '../../domain/providers/breaker';
import { type DeliveryErrorKind, isAboutDestination } from '../../domain/providers/refusal';
import { type Lane, serviceOwner } from '../../domain/providers/route';
import {
  isProbe,
  type Measured,
  type Pace,
  paceAfter,
  type SlowRule,
  unknownPace,
} from '../../domain/providers/slowness';
import type { Logger } from '../../platform/logger';
import { observeGauge } from '../../platform/telemetry/metrics';
import type { HinderedLane, LaneCounts } from '../../store/messages/provider-health.sql';

/** What this worker knows of a lane. */
interface Health {
  lane: Lane;
  breaker: Breaker;
  pace: Pace;
  /** In milliseconds since 1970. Absent: it is not. */
  failingSince?: number;
  slowSince?: number;
}

/** More lanes than the providers of a service have. Those of tenants that sent nothing for long are forgotten first. A lane takes some 300 bytes. */
const lanesMax = 20_000;
/**
 * A lane without messages for this time is no longer known to fail: nothing has found out. If it does, the next messages find out at the cost of
 * seconds.
 */
const forgottenAfterMs = 3_600_000;

const keyOf = ({ owner, channel, provider, country }: Lane): string => `${owner} ${channel} ${provider} ${country}`;

const notMeasured: Measured = { delivered: 0, late: 0, judged: 0 };

/**
 * What this worker knows of providers, in its memory: a breaker and a pace for each lane. A worker learns within a few messages that a provider
 * fails, and shares nothing. All workers measure the same pace.
 */
export class ProviderHealth {
  readonly #lanes = new LRUCache<string, Health>({ max: lanesMax });
  #counts = new Map<string, LaneCounts & { tenant: string }>();

  constructor(private readonly logger: Logger) {
    const description =
      'Whether a provider does not work as it should for a country, so that others get messages first: 1, else 0';
    this.#observe('countersign.provider.failing', description, ({ failingSince }) => failingSince);
    this.#observe('countersign.provider.slow', description, ({ slowSince }) => slowSince);
  }

  /** Names of tenants never reach metrics, so there are none of their own providers. */
  #observe(name: string, description: string, sinceOf: (health: Health) => number | undefined): void {
    observeGauge(name, { description }, (observe) => {
      for (const health of this.#lanes.values()) {
        const { owner, ...labels } = health.lane;
        if (owner === serviceOwner) observe(Number(sinceOf(health) !== undefined), labels);
      }
    });
  }

  #find(lane: Lane): Health {
    return this.#lanes.get(keyOf(lane)) ?? { lane, breaker: closedBreaker, pace: unknownPace };
  }

  /** Why messages go to other providers first. `chance`: see `isProbe`. */
  hindranceOf(lane: Lane, chance: number): 'failing' | 'slow' | undefined {
    const { breaker, pace } = this.#find(lane);
    if (isOpen(breaker, Date.now())) return 'failing';
    return pace.isSlow && !isProbe(chance) ? 'slow' : undefined;
  }

  /** Call this before each request. */
  onRequest(lane: Lane): void {
    const health = this.#find(lane);
    this.#lanes.set(keyOf(lane), { ...health, breaker: beforeMessage(health.breaker, Date.now()) });
  }

  /** Call this with the outcome of each request of a tenant. */
  onOutcome(lane: Lane, tenant: string, outcome: 'accepted' | DeliveryErrorKind): void {
    this.#count(lane, tenant, outcome);
    const isAccepted = outcome === 'accepted' || isAboutDestination(outcome);
    const { failingSince, ...health } = this.#find(lane);
    const breaker = afterMessage(health.breaker, isAccepted, Date.now());
    const isFailing = breaker.openUntil !== undefined;
    this.#lanes.set(keyOf(lane), {
      ...health,
      breaker,
      ...(isFailing && { failingSince: failingSince ?? Date.now() }),
    });
    if (isFailing === (failingSince !== undefined)) return;
    if (isAccepted) this.logger.info(lane, 'a provider works again');
    else this.logger.warn({ ...lane, outcome }, 'a provider fails: messages go to the other providers first');
  }

  #count({ channel, provider, country }: Lane, tenant: string, outcome: 'accepted' | DeliveryErrorKind): void {
    const key = `${tenant} ${channel} ${provider} ${country}`;
    const counts = this.#counts.get(key) ?? { tenant, channel, provider, country, accepted: 0, refused: 0, unknown: 0 };
    const name = outcome === 'accepted' || outcome === 'unknown' ? outcome : 'refused';
    this.#counts.set(key, { ...counts, [name]: counts[name] + 1 });
  }

  /** The requests since the last call. */
  takeCounts(): (LaneCounts & { tenant: string })[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  /** Takes over how fast the messages of a channel arrive. `measured`: all lanes with messages. */
  applyPace(channel: Lane['channel'], rule: SlowRule, measured: readonly (Measured & { lane: Lane })[]): void {
    const measures = new Map(measured.map((one) => [keyOf(one.lane), one]));
    const slow = [...this.#lanes.values()].filter(({ lane, pace }) => lane.channel === channel && pace.isSlow);
    const lanes = new Map([...slow, ...measured].map(({ lane }) => [keyOf(lane), lane]));
    for (const [key, lane] of lanes) {
      const { slowSince, ...health } = this.#find(lane);
      const { delivered, late, judged } = measures.get(key) ?? notMeasured;
      const pace = paceAfter(health.pace, { delivered, late, judged }, rule);
      this.#lanes.set(key, { ...health, pace, ...(pace.isSlow && { slowSince: slowSince ?? Date.now() }) });
      if (pace.isSlow === health.pace.isSlow) continue;
      if (pace.isSlow)
        this.logger.warn({ ...lane, late, judged }, 'a provider is slow: messages go to the others first');
      else this.logger.info({ ...lane, late, judged }, 'a provider is no longer slow');
    }
  }

  /** The lanes that fail or are slow. Forgets lanes that have had no messages for an hour. */
  takeHindered(): HinderedLane[] {
    const hindered: HinderedLane[] = [];
    for (const [key, { lane, breaker, pace, failingSince, slowSince }] of this.#lanes.entries()) {
      const isForgotten = breaker.openUntil !== undefined && breaker.openUntil + forgottenAfterMs < Date.now();
      if (isForgotten) {
        this.#lanes.set(key, { lane, pace, breaker: closedBreaker, ...(slowSince !== undefined && { slowSince }) });
        this.logger.info(lane, 'a provider got no messages for an hour, so it no longer counts as failing');
      }
      const since = isForgotten ? slowSince : (failingSince ?? slowSince);
      if (since === undefined) continue;
      const state = !isForgotten && failingSince !== undefined ? 'failing' : 'slow';
      hindered.push({ ...lane, state, since: new Date(since).toISOString() });
    }
    return hindered;
  }
}
