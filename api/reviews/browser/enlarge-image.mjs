import { imageOf, turn } from './captured-image.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { announce } from '../../pages/browser/screen.mjs';
import { captureNames, shortNames } from './labels.mjs';

/** 1 shows the whole image; 6 shows the dots of a printed portrait. */
const zooms = [1, 1.5, 2, 3, 4, 6];

/** Keeps the center of the visible part. */
function zoomTo(stage, zoom) {
  const before = Number(stage.dataset.zoom);
  const x = (stage.scrollLeft + stage.clientWidth / 2) / before;
  const y = (stage.scrollTop + stage.clientHeight / 2) / before;
  stage.dataset.zoom = zoom;
  stage.style.setProperty('--zoom', zoom);
  stage.scrollTo(x * zoom - stage.clientWidth / 2, y * zoom - stage.clientHeight / 2);
}

/** Lets a mouse drag the image; fingers and arrow keys scroll it. */
function dragged(stage) {
  stage.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    event.preventDefault();
    stage.focus();
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener('pointermove', (event) => {
    if (stage.hasPointerCapture(event.pointerId)) stage.scrollBy(-event.movementX, -event.movementY);
  });
}

/**
 * Shows a picture in the full window, with buttons for the other `pictures`. Keys: + and − zoom, 0 shows the whole image, R
 * turns, arrows move, Esc closes. Afterwards the focus returns to its element.
 */
export function enlargeImage(first, pictures) {
  const canvas = h('div', { class: 'canvas' });
  const stage = h('div', { class: 'large', tabindex: '0', role: 'group', 'data-zoom': '1' }, canvas);
  const percent = h('output', { class: 'percent' });
  let shown = first;

  const zoomBy = (step) => {
    const at = zooms.indexOf(Number(stage.dataset.zoom));
    zoomTo(stage, step === 0 ? 1 : zooms[Math.max(0, Math.min(zooms.length - 1, at + step))]);
    percent.textContent = `${Number(stage.dataset.zoom) * 100} %`;
    announceIn(percent.textContent);
  };
  const choose = (picture) => {
    shown = picture;
    canvas.replaceChildren(imageOf(picture, captureNames[picture.kind]));
    stage.setAttribute('aria-label', `${captureNames[picture.kind]}: the arrow keys move it`);
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.kind === picture.kind));
    zoomBy(0);
  };
  const line = h('p', { class: 'unseen', role: 'status' });
  // Screen readers ignore everything outside an open dialog.
  const announceIn = (text) => {
    line.textContent = text;
  };
  const turnShown = () => {
    turn(shown);
    announceIn(document.getElementById('live').textContent);
  };
  const tabs = h(
    'div',
    { class: 'tabs', role: 'group', 'aria-label': 'Image' },
    pictures
      .filter(({ url }) => url)
      .map((picture) =>
        h(
          'button',
          { type: 'button', class: 'tab', 'data-kind': picture.kind, click: () => choose(picture) },
          shortNames[picture.kind],
        ),
      ),
  );
  const tool = (name, label, click) =>
    h('button', { type: 'button', class: 'tool', 'aria-label': label, title: label, click }, icon(name));
  const close = () => dialog.close();
  const dialog = h(
    'dialog',
    { class: 'enlarged', 'aria-label': 'Enlarged image' },
    h(
      'div',
      { class: 'toolbar' },
      tabs,
      h(
        'div',
        { class: 'tools' },
        tool('out', 'Zoom out', () => zoomBy(-1)),
        percent,
        tool('in', 'Zoom in', () => zoomBy(1)),
        tool('turn', 'Turn', turnShown),
        button('plain', close, 'Close'),
      ),
    ),
    stage,
    line,
  );
  const keys = { '+': () => zoomBy(1), '=': () => zoomBy(1), '-': () => zoomBy(-1), 0: () => zoomBy(0), r: turnShown };
  dialog.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
  dialog.addEventListener('close', () => {
    announce('');
    dialog.remove();
  });
  stage.addEventListener('dblclick', () => zoomBy(stage.dataset.zoom === '1' ? 2 : 0));
  dragged(stage);
  document.body.append(dialog);
  dialog.showModal();
  choose(first);
  stage.focus();
}
