import { h } from './elements.mjs';

const view = document.getElementById('view');
const noticeLine = document.getElementById('notice');
const liveLine = document.getElementById('live');
const { brand } = document.body.dataset;

let told = '';
let leave;
let [count, title] = ['', document.title.split(' · ')[0]];

/** Names the tab for what it shows; who has many tabs sees there how many await them. */
export function nameTab() {
  const shown = document.getElementById('gate').hidden ? title : 'Sign in';
  document.title = `${count && `(${count}) `}${shown} · ${brand}`;
}

/** How many await the one who looks, as words; empty when it is not known. */
export function countInTab(text) {
  count = text;
  nameTab();
}

/** Says what came of something in the view that is shown next. */
export function announceNext(text) {
  told = text;
}

/**
 * Replaces what is shown, and moves the focus to its heading so that a screen reader starts there. `onLeave` is called
 * when it is replaced.
 */
export function show({ name, heading, tab, onLeave }, ...children) {
  leave?.();
  leave = onLeave;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const top = h('h1', { tabindex: '-1' }, heading);
  view.replaceChildren(
    ...[told ? h('p', { class: 'told' }, told) : undefined, top, ...children.flat()].filter(
      (child) => child instanceof Node,
    ),
  );
  view.dataset.view = name;
  title = tab;
  nameTab();
  announce(told);
  told = '';
  window.scrollTo(0, 0);
  top.focus({ preventScroll: true });
}

/** What waits and why, for everybody to see; an empty text takes it away. */
export function notice(text) {
  if (noticeLine.textContent !== text) noticeLine.textContent = text;
}

/** Something that is seen anyway, told to who cannot see it. */
export function announce(text) {
  liveLine.textContent = text;
}
