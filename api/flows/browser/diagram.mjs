import { button, h } from '../../pages/browser/elements.mjs';

const paintAttributes = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray'];
/** The elements and attributes of a diagram. None of them can run a script or load anything. */
const allowed = {
  svg: ['viewBox', 'width', 'height', 'role'],
  title: [],
  style: [],
  g: ['id', 'class', 'transform'],
  path: ['d', ...paintAttributes],
  polygon: ['points', ...paintAttributes],
  ellipse: ['cx', 'cy', 'rx', 'ry', ...paintAttributes],
  text: ['xml:space', 'x', 'y', 'text-anchor', 'font-family', 'font-weight', 'font-size', ...paintAttributes],
};
/** Below this scale the text is hard to read, so a button offers a larger diagram. */
const readableScaleMin = 0.7;
const svgNamespace = 'http://www.w3.org/2000/svg';

const isAllowed = ({ namespaceURI, localName, attributes }) =>
  namespaceURI === svgNamespace &&
  Object.hasOwn(allowed, localName) &&
  [...attributes].every(({ name }) => name === 'xmlns' || allowed[localName].includes(name));

/** Parses an SVG to an element of this page. Throws if an element or attribute is not allowed. */
function parseSvg(text) {
  const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (
    documentElement.localName !== 'svg' ||
    ![documentElement, ...documentElement.querySelectorAll('*')].every(isAllowed)
  )
    throw new Error('The diagram has elements or attributes that are not allowed.');
  return document.importNode(documentElement, true);
}

/** Adds a link to each step for which `linkOf` returns { href, name }. */
function addLinks(svg, linkOf) {
  for (const stepElement of svg.querySelectorAll('[id^="step-"]')) {
    const { href, name } = linkOf(stepElement.id.slice('step-'.length)) ?? {};
    if (!href) continue;
    const anchor = document.createElementNS(svgNamespace, 'a');
    anchor.setAttribute('href', href);
    anchor.setAttribute('aria-label', name);
    stepElement.replaceWith(anchor);
    anchor.append(stepElement);
  }
  svg.setAttribute('role', 'group');
}

/**
 * Creates a frame for a diagram: { element, draw, showText }. It shows the whole diagram. If the text is too small, a button
 * enlarges the diagram, and the frame scrolls. `draw` takes an SVG as text. `linkOf` returns the link of a step.
 */
export function createDiagram(name, linkOf) {
  let [shownSvg, isLarge] = [undefined, false];
  const frame = h('div', { class: 'card drawing', role: 'region', 'aria-label': name, tabindex: '0' });
  const sizeButton = button('quiet size', () => resize(!isLarge), 'Larger');
  sizeButton.hidden = true;
  const element = h('div', { class: 'drawing-frame' }, frame, sizeButton);

  function resize(large) {
    isLarge = large;
    frame.classList.toggle('large', large);
    sizeButton.textContent = large ? 'Whole diagram' : 'Larger';
    const start = frame.querySelector('.start')?.getBoundingClientRect();
    // The first step is in the middle of the large diagram, so it may be outside the visible part.
    if (large && start) frame.scrollLeft = start.x - frame.getBoundingClientRect().x - frame.clientWidth / 2;
  }
  function updateSizeButton() {
    const width = Number(frame.querySelector('svg')?.getAttribute('width') ?? 0);
    sizeButton.hidden = width * readableScaleMin <= frame.clientWidth;
    if (sizeButton.hidden && isLarge) resize(false);
  }
  new ResizeObserver(updateSizeButton).observe(frame);

  return {
    element,
    draw: (text) => {
      if (text === shownSvg) return;
      shownSvg = text;
      const focused = frame.querySelector('a:focus')?.getAttribute('aria-label');
      try {
        const svg = parseSvg(text);
        if (linkOf) addLinks(svg, linkOf);
        frame.replaceChildren(svg);
      } catch (error) {
        console.warn(error);
        frame.replaceChildren(h('p', { class: 'soft' }, 'The diagram cannot be shown.'));
      }
      updateSizeButton();
      if (focused) [...frame.querySelectorAll('a')].find((a) => a.getAttribute('aria-label') === focused)?.focus();
    },
    /** Shows a text instead of a diagram. */
    showText: (text) => {
      shownSvg = undefined;
      frame.replaceChildren(h('p', { class: 'soft' }, text));
      updateSizeButton();
    },
  };
}
