import { createImageElement, rotateImage } from './captured-image.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { announce } from '../../pages/browser/screen.mjs';
import { captureNames, shortCaptureNames } from './labels.mjs';

/** 1 shows the whole image; 6 shows the dots of a printed portrait. */
const zoomLevels = [1, 1.5, 2, 3, 4, 6];

/** Changes the zoom, and keeps the center of the visible part. */
function zoomTo(scrollArea, zoom) {
  const oldZoom = Number(scrollArea.dataset.zoom);
  const x = (scrollArea.scrollLeft + scrollArea.clientWidth / 2) / oldZoom;
  const y = (scrollArea.scrollTop + scrollArea.clientHeight / 2) / oldZoom;
  scrollArea.dataset.zoom = zoom;
  scrollArea.style.setProperty('--zoom', zoom);
  scrollArea.scrollTo(x * zoom - scrollArea.clientWidth / 2, y * zoom - scrollArea.clientHeight / 2);
}

/** Lets a mouse drag the image. Touch and arrow keys scroll it without this. */
function enableDragging(scrollArea) {
  scrollArea.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    event.preventDefault();
    scrollArea.focus();
    scrollArea.setPointerCapture(event.pointerId);
  });
  scrollArea.addEventListener('pointermove', (event) => {
    if (scrollArea.hasPointerCapture(event.pointerId)) scrollArea.scrollBy(-event.movementX, -event.movementY);
  });
}

/**
 * Shows a picture in the full window, with buttons for the other `pictures`. Keys: + and − zoom, 0 shows the whole image, R
 * turns, arrows move, Esc closes. After closing, the focus returns to the element that had it.
 */
export function enlargeImage(firstPicture, pictures) {
  const canvas = h('div', { class: 'canvas' });
  const scrollArea = h('div', { class: 'large', tabindex: '0', role: 'group', 'data-zoom': '1' }, canvas);
  const percent = h('output', { class: 'percent' });
  let shownPicture = firstPicture;

  /** Zooms in by a number of levels, or out by a negative number. 0 shows the whole image. */
  const zoomBy = (levels) => {
    const index = zoomLevels.indexOf(Number(scrollArea.dataset.zoom));
    zoomTo(scrollArea, levels === 0 ? 1 : zoomLevels[Math.max(0, Math.min(zoomLevels.length - 1, index + levels))]);
    percent.textContent = `${Number(scrollArea.dataset.zoom) * 100} %`;
    announceInDialog(percent.textContent);
  };
  const showPicture = (picture) => {
    shownPicture = picture;
    canvas.replaceChildren(createImageElement(picture, captureNames[picture.kind]));
    scrollArea.setAttribute('aria-label', `${captureNames[picture.kind]}: the arrow keys move it`);
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.kind === picture.kind));
    zoomBy(0);
  };
  const statusLine = h('p', { class: 'unseen', role: 'status' });
  // Screen readers ignore everything outside an open dialog.
  const announceInDialog = (text) => {
    statusLine.textContent = text;
  };
  const rotateShown = () => {
    rotateImage(shownPicture);
    announceInDialog(document.getElementById('live').textContent);
  };
  const tabs = h(
    'div',
    { class: 'tabs', role: 'group', 'aria-label': 'Image' },
    pictures
      .filter(({ url }) => url)
      .map((picture) =>
        h(
          'button',
          { type: 'button', class: 'tab', 'data-kind': picture.kind, click: () => showPicture(picture) },
          shortCaptureNames[picture.kind],
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
        tool('turn', 'Turn', rotateShown),
        button('plain', close, 'Close'),
      ),
    ),
    scrollArea,
    statusLine,
  );
  const keys = {
    '+': () => zoomBy(1),
    '=': () => zoomBy(1),
    '-': () => zoomBy(-1),
    0: () => zoomBy(0),
    r: rotateShown,
  };
  dialog.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  dialog.addEventListener('close', () => {
    announce('');
    dialog.remove();
  });
  scrollArea.addEventListener('dblclick', () => zoomBy(scrollArea.dataset.zoom === '1' ? 2 : 0));
  enableDragging(scrollArea);
  document.body.append(dialog);
  dialog.showModal();
  showPicture(firstPicture);
  scrollArea.focus();
}
