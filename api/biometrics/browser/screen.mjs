import { h } from '../../pages/browser/elements.mjs';
import { fill, texts } from './texts.mjs';

const page = document.getElementById('page');
const noticeLine = document.getElementById('notice');
const liveLine = document.getElementById('live');
const brand = page.dataset.brand;

/** The number of steps: the consent and three pictures. The last screen is not a step. */
const steps = 4;

function progress(step) {
  const dots = Array.from({ length: steps }, (_, at) => h('span', { class: at < step ? 'dot reached' : 'dot' }));
  return h(
    'div',
    { class: 'progress' },
    h('p', {}, fill(texts.progress, { step, steps })),
    h('div', { class: 'dots', 'aria-hidden': 'true' }, dots),
  );
}

/** Shows a screen, and moves the focus to its heading for screen readers. */
export function showScreen({ name, heading, step }, ...children) {
  const title = h('h1', { tabindex: '-1' }, heading);
  page.replaceChildren(
    ...[step ? progress(step) : undefined, title, ...children.flat()].filter((child) => child instanceof Node),
  );
  page.dataset.screen = name;
  document.title = `${heading} · ${brand}`;
  announce('');
  window.scrollTo(0, 0);
  title.focus({ preventScroll: true });
}

/** Shows a notice; an empty text removes it. */
export function showNotice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Makes screen readers announce a text that is visible on the page. */
export function announce(text) {
  liveLine.textContent = text;
}
