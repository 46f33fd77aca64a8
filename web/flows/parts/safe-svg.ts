const paintAttributes = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray'];

/** The elements and attributes of a diagram. None of them can run a script or load anything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  svg: ['viewBox', 'width', 'height', 'role'],
  title: [],
  style: [],
  g: ['id', 'class', 'transform'],
  path: ['d', ...paintAttributes],
  polygon: ['points', ...paintAttributes],
  ellipse: ['cx', 'cy', 'rx', 'ry', ...paintAttributes],
  text: ['xml:space', 'x', 'y', 'text-anchor', 'font-family', 'font-weight', 'font-size', ...paintAttributes],
};
const svgNamespace = 'http://www.w3.org/2000/svg';

const isAllowed = ({ namespaceURI, localName, attributes }: Element) =>
  namespaceURI === svgNamespace &&
  Object.hasOwn(allowed, localName) &&
  [...attributes].every(({ name }) => name === 'xmlns' || allowed[localName]?.includes(name));

/** Makes an element of this page from the SVG text of a diagram. Throws if an element or attribute is not allowed. */
export function parseDiagram(text: string): Element {
  const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (
    documentElement.localName !== 'svg' ||
    ![documentElement, ...documentElement.querySelectorAll('*')].every(isAllowed)
  )
    throw new Error('The diagram has elements or attributes that are not allowed.');
  return document.importNode(documentElement, true);
}

/** The link of a step in a diagram. `name`: what the link shows. */
export interface StepLink {
  href: string;
  name: string;
}

/** Adds a link to each step for which `linkOf` returns one. */
export function addStepLinks(svg: Element, linkOf: (step: string) => StepLink | undefined): void {
  for (const stepElement of svg.querySelectorAll('[id^="step-"]')) {
    const link = linkOf(stepElement.id.slice('step-'.length));
    if (!link) continue;
    const anchor = document.createElementNS(svgNamespace, 'a');
    anchor.setAttribute('href', link.href);
    // The label of a link begins with the text that is shown, so that a user can open the link by voice.
    const shown = Array.from(stepElement.querySelectorAll('text'), ({ textContent }) => textContent).join(' ');
    anchor.setAttribute('aria-label', `${shown}: ${link.name}`);
    anchor.dataset['step'] = stepElement.id;
    stepElement.replaceWith(anchor);
    anchor.append(stepElement);
  }
  svg.setAttribute('role', 'group');
}
