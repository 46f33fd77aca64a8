import { timeElement } from '../../pages/browser/dates.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { announce } from '../../pages/browser/screen.mjs';
import { erasedImage } from './signed-images.mjs';
import { captureNames, measuresOf } from './labels.mjs';

/** Turns an image by 90 degrees to the right. */
export function rotateImage(picture) {
  picture.turns = (picture.turns + 1) % 4;
  for (const image of picture.shown) image.dataset.turns = picture.turns;
  announce(`${captureNames[picture.kind]}, turned by ${picture.turns * 90} degrees`);
}

/** Creates one more element for a picture, with its current rotation. */
export function createImageElement(picture, alt) {
  const image = h('img', { src: picture.url, alt, 'data-turns': picture.turns });
  picture.shown.add(image);
  return image;
}

/**
 * Creates the figure of an image with its measures. `picture`: { kind, url, turns, shown }, with the elements that show it in
 * `shown`. `loadUrl` resolves to the URL of the image, `erasedImage` or undefined. `onEnlarge`: called when the image is pressed.
 */
export function createImageFigure(picture, capture, findings, loadUrl, onEnlarge) {
  const { kind } = picture;
  const name = captureNames[kind];
  const imageArea = h('div', { class: 'stage' });
  const toolbar = h(
    'div',
    { class: 'tools' },
    h(
      'button',
      { type: 'button', class: 'tool', 'aria-label': `Turn ${name}`, click: () => rotateImage(picture) },
      icon('turn'),
      h('span', {}, 'Turn'),
    ),
  );

  function showError() {
    toolbar.hidden = true;
    imageArea.replaceChildren(
      h('div', { class: 'broken' }, h('p', {}, 'The image cannot be shown.'), button('plain', showImage, 'Try again')),
    );
  }

  const showErased = () => imageArea.replaceChildren(h('p', { class: 'soft' }, 'The image was erased.'));

  async function showImage() {
    toolbar.hidden = true;
    imageArea.replaceChildren(h('p', { class: 'soft' }, 'Loading …'));
    const url = await loadUrl().catch(() => undefined);
    picture.url = url === erasedImage ? undefined : url;
    if (!picture.url) {
      if (url === erasedImage) showErased();
      else showError();
      return;
    }
    const image = createImageElement(picture, '');
    image.addEventListener('error', showError);
    const enlargeButton = h(
      'button',
      { type: 'button', class: 'open', 'aria-label': `Enlarge ${name}`, click: onEnlarge },
      image,
    );
    imageArea.replaceChildren(enlargeButton, h('span', { class: 'badge' }, icon('enlarge')));
    toolbar.hidden = false;
  }

  void showImage();
  const measures = capture ? measuresOf(kind, capture, findings) : [];
  return h(
    'figure',
    { class: 'capture' },
    h('figcaption', {}, h('h2', {}, name), toolbar),
    imageArea,
    h(
      'ul',
      { class: 'measures' },
      measures.map(({ text, issue }) => h('li', { class: issue && 'issue' }, issue && icon('warning'), text)),
    ),
    capture && h('p', { class: 'soft small' }, 'Taken ', timeElement(capture.at)),
  );
}
