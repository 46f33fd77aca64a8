import { h } from './elements.mjs';
import { fill, texts } from './shell.mjs';

const page = document.getElementById('page');
const noticeLine = document.getElementById('notice');
const liveLine = document.getElementById('live');
const brand = page.dataset.brand;

/** Consent and three pictures; the end is not counted. */
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

/** Replaces what is shown, and moves the focus to its heading so that a screen reader starts there. */
export function show({ name, heading, step }, ...children) {
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

/** What waits and why, for everybody to see; an empty text takes it away. */
export function notice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Something that is seen anyway, told to who cannot see it. */
export function announce(text) {
  liveLine.textContent = text;
}
