import { h } from './elements.mjs';

const view = document.getElementById('view');
const noticeLine = document.getElementById('notice');
const liveRegion = document.getElementById('live');
const { brand } = document.body.dataset;

let nextAnnouncement = '';
let leaveView;
let [waitingCount, tabTitle] = ['', document.title.split(' · ')[0]];

/** Sets the title of the browser tab, with the number of waiting items. */
export function updateTabTitle() {
  const shownTitle = document.getElementById('gate').hidden ? tabTitle : 'Sign in';
  document.title = `${waitingCount && `(${waitingCount}) `}${shownTitle} · ${brand}`;
}

/** Shows the number of waiting items in the title; empty for an unknown number. */
export function showCountInTab(text) {
  waitingCount = text;
  updateTabTitle();
}

/** Shows and announces a text at the top of the next view. */
export function announceInNextView(text) {
  nextAnnouncement = text;
}

/** Shows a view, and moves the focus to its heading for screen readers. Calls `onLeave` when another view replaces it. */
export function showView({ name, heading, tab, onLeave }, ...children) {
  leaveView?.();
  leaveView = onLeave;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const headingElement = h('h1', { tabindex: '-1' }, heading);
  view.replaceChildren(
    ...[
      nextAnnouncement ? h('p', { class: 'message' }, nextAnnouncement) : undefined,
      headingElement,
      ...children.flat(),
    ].filter((child) => child instanceof Node),
  );
  view.dataset.view = name;
  tabTitle = tab;
  updateTabTitle();
  announce(nextAnnouncement);
  nextAnnouncement = '';
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
