const svgNamespace = 'http://www.w3.org/2000/svg';

const isShown = (child) => child !== undefined && child !== null && child !== false;

/**
 * Creates an element. Text children become text nodes, never markup. Attributes that are undefined, null or false are
 * omitted; functions are event listeners.
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (!isShown(value)) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(2).filter(isShown));
  return element;
}

/** A line icon that is drawn by `path`. Screen readers ignore it. */
export function lineIcon(name, path) {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svgNamespace, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const button = (className, click, ...children) =>
  h('button', { type: 'button', class: className, click }, ...children);
