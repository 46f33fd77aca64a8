import { h } from '../../pages/browser/elements.mjs';
import { formatTimeOfDay } from './times.mjs';

/**
 * Creates a line with the time of the newest numbers: { element, fresh, stale }. Call `fresh` after a refresh, and `stale` if it
 * fails. Screen readers do not announce its changes.
 */
export function createLiveLine() {
  const text = h('span');
  const element = h('p', { class: 'live soft small' }, h('span', { class: 'dot' }), text);
  let refreshedAt;
  const fresh = () => {
    refreshedAt = formatTimeOfDay(new Date());
    element.classList.remove('stale');
    text.textContent = `Live, as of ${refreshedAt} UTC`;
  };
  const stale = () => {
    element.classList.add('stale');
    text.textContent = `Not live: no response since ${refreshedAt} UTC`;
  };
  fresh();
  return { element, fresh, stale };
}
