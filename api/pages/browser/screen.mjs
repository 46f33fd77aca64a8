import { h } from './elements.mjs';

const view = document.getElementById('view');
const noticeLine = document.getElementById('notice');
const liveRegion = document.getElementById('live');
const { brand } = document.body.dataset;

let message = '';
let leaveView;
let [count, title] = ['', document.title.split(' · ')[0]];

/** Sets the title of the browser tab, with the number of waiting items. */
export function updateTabTitle() {
  const viewTitle = document.getElementById('gate').hidden ? title : 'Sign in';
  document.title = `${count && `(${count}) `}${viewTitle} · ${brand}`;
}

/** Shows the number of waiting items in the title; empty for an unknown number. */
export function showCountInTab(text) {
  count = text;
  updateTabTitle();
}

/** Shows and announces a text at the top of the next view. */
export function announceNext(text) {
  message = text;
}

/** Shows a view, and moves the focus to its heading for screen readers. Calls `onLeave` when another view replaces it. */
export function showView({ name, heading, tab, onLeave }, ...children) {
  leaveView?.();
  leaveView = onLeave;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const headingElement = h('h1', { tabindex: '-1' }, heading);
  view.replaceChildren(
    ...[message ? h('p', { class: 'message' }, message) : undefined, headingElement, ...children.flat()].filter(
      (child) => child instanceof Node,
    ),
  );
  view.dataset.view = name;
  title = tab;
  updateTabTitle();
  announce(message);
  message = '';
  window.scrollTo(0, 0);
  headingElement.focus({ preventScroll: true });
}

/** Shows a notice; an empty text removes it. */
export function showNotice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Announces a text to screen readers. Others do not see it. */
export function announce(text) {
  liveRegion.textContent = text;
}
