import { useFlowsTexts } from '../flows-texts';
import { formatTimeOfDay } from '../times';
import type { Freshness } from './use-polling';

/** The time of the newest data. Screen readers do not announce when the time changes. */
export function LiveLine({ freshness: { at, isStale } }: { freshness: Freshness }) {
  const { numbers } = useFlowsTexts();
  const time = formatTimeOfDay(at);
  return (
    <p class={isStale ? 'live stale soft small' : 'live soft small'}>
      <span class="dot" />
      <span>{isStale ? numbers.stale(time) : numbers.live(time)}</span>
    </p>
  );
}
