import { h } from '../../pages/browser/elements.mjs';
import { clock } from './times.mjs';

/** A line with the age of the numbers: { element, fresh, stale }. Screen readers do not announce its changes. */
export function liveLine() {
  const text = h('span');
  const element = h('p', { class: 'live soft small' }, h('span', { class: 'dot' }), text);
  let at;
  const fresh = () => {
    at = clock(new Date());
    element.classList.remove('stale');
    text.textContent = `Live, as of ${at} UTC`;
  };
  const stale = () => {
    element.classList.add('stale');
    text.textContent = `Not live: no response since ${at} UTC`;
  };
  fresh();
  return { element, fresh, stale };
}
