import { h } from '../../pages/browser/elements.mjs';
import { formatTimeOfDay } from './times.mjs';

/**
 * Creates a line with the time of the newest numbers: { element, showFresh, showStale }. Call `showFresh` after a refresh, and
 * `showStale` if a refresh fails. Screen readers do not announce changes of the line.
 */
export function createLiveLine() {
  const text = h('span');
  const element = h('p', { class: 'live soft small' }, h('span', { class: 'dot' }), text);
  let refreshedAt;
  const showFresh = () => {
    refreshedAt = formatTimeOfDay(new Date());
    element.classList.remove('stale');
    text.textContent = `Live, as of ${refreshedAt} UTC`;
  };
  const showStale = () => {
    element.classList.add('stale');
    text.textContent = `Not live: no response since ${refreshedAt} UTC`;
  };
  showFresh();
  return { element, showFresh, showStale };
}
