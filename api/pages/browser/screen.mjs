import { h } from './elements.mjs';

const view = document.getElementById('view');
const noticeLine = document.getElementById('notice');
const liveRegion = document.getElementById('live');
const { brand } = document.body.dataset;

let leaveView;
let [tabTitle] = document.title.split(' · ');

/** Sets the title of the browser tab. */
export function updateTabTitle() {
  const shownTitle = document.getElementById('gate').hidden ? tabTitle : 'Sign in';
  document.title = `${shownTitle} · ${brand}`;
}

/** Shows a view, and moves the focus to its heading for screen readers. Calls `onLeave` when another view replaces it. */
export function showView({ name, heading, tab, onLeave }, ...children) {
  leaveView?.();
  leaveView = onLeave;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const headingElement = h('h1', { tabindex: '-1' }, heading);
  view.replaceChildren(...[headingElement, ...children.flat()].filter((child) => child instanceof Node));
  view.dataset.view = name;
  tabTitle = tab;
  updateTabTitle();
  announce('');
  window.scrollTo(0, 0);
  headingElement.focus({ preventScroll: true });
}

/** Shows a notice; an empty text removes it. */
export function showNotice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Makes screen readers announce a text. The page does not show the text. */
export function announce(text) {
  liveRegion.textContent = text;
}
