import { button, h } from '../../pages/browser/elements.mjs';

const paint = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray'];
/** All that drawings of flows are made of. None of it runs, and none of it leads anywhere. */
const allowed = {
  svg: ['viewBox', 'width', 'height', 'role'],
  title: [],
  style: [],
  g: ['id', 'class', 'transform'],
  path: ['d', ...paint],
  polygon: ['points', ...paint],
  ellipse: ['cx', 'cy', 'rx', 'ry', ...paint],
  text: ['xml:space', 'x', 'y', 'text-anchor', 'font-family', 'font-weight', 'font-size', ...paint],
};
/** Drawn smaller than so, letters are hard to read: who looks may have it larger. */
const readableFrom = 0.7;
const svgNamespace = 'http://www.w3.org/2000/svg';

const isKnown = ({ namespaceURI, localName, attributes }) =>
  namespaceURI === svgNamespace &&
  Object.hasOwn(allowed, localName) &&
  [...attributes].every(({ name }) => name === 'xmlns' || allowed[localName].includes(name));

/** The SVG of a drawing as an element of this page. Throws for anything that drawings do not have. */
function parse(text) {
  const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (
    documentElement.localName !== 'svg' ||
    ![documentElement, ...documentElement.querySelectorAll('*')].every(isKnown)
  )
    throw new Error('The drawing has parts that drawings do not have.');
  return document.importNode(documentElement, true);
}

/** Has each step lead to where `link` says: { href, name }, or nothing. */
function addLinks(svg, link) {
  for (const box of svg.querySelectorAll('[id^="step-"]')) {
    const { href, name } = link(box.id.slice('step-'.length)) ?? {};
    if (!href) continue;
    const anchor = document.createElementNS(svgNamespace, 'a');
    anchor.setAttribute('href', href);
    anchor.setAttribute('aria-label', name);
    box.replaceWith(anchor);
    anchor.append(box);
  }
  svg.setAttribute('role', 'group');
}

/**
 * A frame for drawings: { element, draw, tell }. The whole of a drawing is in sight; where its letters are too small then,
 * a button makes it larger, and it is moved in its frame, by keyboard too. `draw` takes an SVG as text, and leaves what is
 * there when it is the same; `link` says where a step leads.
 */
export function drawing(name, link) {
  let [drawn, isLarge] = [undefined, false];
  const frame = h('div', { class: 'card drawing', role: 'region', 'aria-label': name, tabindex: '0' });
  const size = button('quiet size', () => resize(!isLarge), 'Larger');
  size.hidden = true;
  const element = h('div', { class: 'drawing-room' }, frame, size);

  function resize(large) {
    isLarge = large;
    frame.classList.toggle('large', large);
    size.textContent = large ? 'Whole diagram' : 'Larger';
    const start = frame.querySelector('.start')?.getBoundingClientRect();
    // A flow begins in the middle: its beginning would be out of sight.
    if (large && start) frame.scrollLeft = start.x - frame.getBoundingClientRect().x - frame.clientWidth / 2;
  }
  function offerSize() {
    const width = Number(frame.querySelector('svg')?.getAttribute('width') ?? 0);
    size.hidden = width * readableFrom <= frame.clientWidth;
    if (size.hidden && isLarge) resize(false);
  }
  new ResizeObserver(offerSize).observe(frame);

  return {
    element,
    draw: (text) => {
      if (text === drawn) return;
      drawn = text;
      const focused = frame.querySelector('a:focus')?.getAttribute('aria-label');
      try {
        const svg = parse(text);
        if (link) addLinks(svg, link);
        frame.replaceChildren(svg);
      } catch (error) {
        console.warn(error);
        frame.replaceChildren(h('p', { class: 'soft' }, 'The drawing cannot be shown.'));
      }
      offerSize();
      if (focused) [...frame.querySelectorAll('a')].find((a) => a.getAttribute('aria-label') === focused)?.focus();
    },
    /** Says in place of a drawing why there is none. */
    tell: (words) => {
      drawn = undefined;
      frame.replaceChildren(h('p', { class: 'soft' }, words));
      offerSize();
    },
  };
}
