import { h } from '../../team-page/page/elements.mjs';

/** All that drawings of flows are made of. None of it runs, and none of it leads anywhere. */
const allowed = {
  svg: ['class', 'viewBox', 'width', 'height', 'role'],
  title: [],
  style: [],
  g: ['class', 'transform'],
  rect: ['class', 'x', 'y', 'width', 'height', 'rx'],
  circle: ['class', 'cx', 'cy', 'r'],
  path: ['class', 'd', 'transform'],
  text: ['class', 'x', 'y', 'text-anchor'],
};
/** Pixels from which a drawing is too wide for a telephone. */
const wideFrom = 640;
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
  const svg = document.importNode(documentElement, true);
  svg.classList.toggle('wide', Number(svg.getAttribute('width')) > wideFrom);
  return svg;
}

/**
 * A frame for drawings, which scrolls by keyboard too: { element, draw }. `draw` takes an SVG as text, and leaves what is
 * there when it is the same.
 */
export function drawing(name) {
  /** A flow begins in the middle: on a telephone its beginning would be out of sight. */
  const showStart = () => {
    const start = element.querySelector('.start')?.getBoundingClientRect();
    if (start) element.scrollLeft += start.x - element.getBoundingClientRect().x - element.clientWidth / 2;
  };
  const element = h('div', { class: 'card drawing', role: 'region', 'aria-label': name, tabindex: '0' });
  let drawn;
  return {
    element,
    draw: (text) => {
      if (text === drawn) return;
      if (drawn === undefined) requestAnimationFrame(showStart);
      drawn = text;
      try {
        element.replaceChildren(parse(text));
      } catch (error) {
        console.warn(error);
        element.replaceChildren(h('p', { class: 'soft' }, 'The drawing cannot be shown.'));
      }
    },
    /** Says in place of a drawing why there is none. */
    tell: (words) => {
      drawn = undefined;
      element.replaceChildren(h('p', { class: 'soft' }, words));
    },
  };
}
