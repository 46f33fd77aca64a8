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
  element.append(...children.flat().filter(isShown));
  return element;
}

const paths = {
  document:
    'M3 6h18v12H3zM9 11.500a1.800 1.800 0 1 0-3.600 0 1.800 1.800 0 0 0 3.600 0M5 15.500c.8-1.600 3.600-1.600 4.400 0M13 10h5M13 14h5',
  back: 'M3 6h18v12H3zM3 10h18M6 14h7',
  face: 'M12 4c4 0 6 3 6 7s-2.500 9-6 9-6-5-6-9 2-7 6-7zM9.500 11v.5M14.500 11v.5M9.800 15c1.200 1.100 3.200 1.100 4.400 0',
  check: 'M12 3l7 2.600v5.800c0 4.600-3 7.800-7 9.200-4-1.400-7-4.600-7-9.200V5.600zM9 12l2.200 2.200L15.200 10',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  tick: 'M5 13l4 4 10-11',
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
};

/** A line icon, for decoration only. */
export function icon(name) {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

export const button = (style, text, click) => h('button', { type: 'button', class: style, click }, text);
