import { h } from './elements.mjs';

const view = document.getElementById('view');
const noticeLine = document.getElementById('notice');
const liveLine = document.getElementById('live');
const { brand } = document.body.dataset;

let message = '';
let leave;
let [count, title] = ['', document.title.split(' · ')[0]];

/** Sets the title of the browser tab, with the number of waiting items. */
export function nameTab() {
  const shown = document.getElementById('gate').hidden ? title : 'Sign in';
  document.title = `${count && `(${count}) `}${shown} · ${brand}`;
}

/** Shows the number of waiting items in the title; empty for an unknown number. */
export function countInTab(text) {
  count = text;
  nameTab();
}

/** Shows and announces a text at the top of the next view. */
export function announceNext(text) {
  message = text;
}

/** Shows a view, and moves the focus to its heading for screen readers. Calls `onLeave` when another view replaces it. */
export function show({ name, heading, tab, onLeave }, ...children) {
  leave?.();
  leave = onLeave;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const top = h('h1', { tabindex: '-1' }, heading);
  view.replaceChildren(
    ...[message ? h('p', { class: 'message' }, message) : undefined, top, ...children.flat()].filter(
      (child) => child instanceof Node,
    ),
  );
  view.dataset.view = name;
  title = tab;
  nameTab();
  announce(message);
  message = '';
  window.scrollTo(0, 0);
  top.focus({ preventScroll: true });
}

/** Shows a notice; an empty text removes it. */
export function notice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Tells a screen reader what others see. */
export function announce(text) {
  liveLine.textContent = text;
}
