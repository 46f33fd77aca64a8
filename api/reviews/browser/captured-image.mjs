import { instant } from '../../pages/browser/dates.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { announce } from '../../pages/browser/screen.mjs';
import { deleted } from './signed-images.mjs';
import { captureNames, measuresOf } from './labels.mjs';

/** Turns an image by 90 degrees to the right. */
export function turn(picture) {
  picture.turns = (picture.turns + 1) % 4;
  for (const image of picture.shown) image.dataset.turns = picture.turns;
  announce(`${captureNames[picture.kind]}, turned by ${picture.turns * 90} degrees`);
}

/** Another element of the picture, with its rotation. */
export function imageOf(picture, alt) {
  const image = h('img', { src: picture.url, alt, 'data-turns': picture.turns });
  picture.shown.add(image);
  return image;
}

/**
 * An image with its measures. `picture`: { kind, url, turns, shown }. `load` resolves to the URL of the image or undefined.
 * `enlarge` shows it large.
 */
export function capturedImage(picture, capture, findings, load, enlarge) {
  const { kind } = picture;
  const name = captureNames[kind];
  const stage = h('div', { class: 'stage' });
  const tools = h(
    'div',
    { class: 'tools' },
    h(
      'button',
      { type: 'button', class: 'tool', 'aria-label': `Turn ${name}`, click: () => turn(picture) },
      icon('turn'),
      h('span', {}, 'Turn'),
    ),
  );

  function fail() {
    tools.hidden = true;
    stage.replaceChildren(
      h('div', { class: 'broken' }, h('p', {}, 'The image cannot be shown.'), button('plain', fill, 'Try again')),
    );
  }

  const showDeleted = () => stage.replaceChildren(h('p', { class: 'soft' }, 'Deleted: the retention time has ended.'));

  async function fill() {
    tools.hidden = true;
    stage.replaceChildren(h('p', { class: 'soft' }, 'Loading …'));
    const url = await load().catch(() => undefined);
    picture.url = url === deleted ? undefined : url;
    if (!picture.url) {
      if (url === deleted) showDeleted();
      else fail();
      return;
    }
    const image = imageOf(picture, '');
    image.addEventListener('error', fail);
    const large = h(
      'button',
      { type: 'button', class: 'open', 'aria-label': `Enlarge ${name}`, click: enlarge },
      image,
    );
    stage.replaceChildren(large, h('span', { class: 'badge' }, icon('enlarge')));
    tools.hidden = false;
  }

  void fill();
  const measures = capture ? measuresOf(kind, capture, findings) : [];
  return h(
    'figure',
    { class: 'capture' },
    h('figcaption', {}, h('h2', {}, name), tools),
    stage,
    h(
      'ul',
      { class: 'measures' },
      measures.map(({ text, issue }) => h('li', { class: issue && 'issue' }, issue && icon('warning'), text)),
    ),
    capture && h('p', { class: 'soft small' }, 'Taken ', instant(capture.at)),
  );
}
