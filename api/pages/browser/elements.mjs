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

const iconPaths = {
  approve: 'M5 13l4 4 10-11',
  reject: 'M6 6l12 12M18 6L6 18',
  inconclusive: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
  refresh: 'M20 12a8 8 0 1 1-2.400-5.700M20 4v4.500h-4.500',
  turn: 'M4 12a8 8 0 1 0 2.400-5.700M4 4v4.500h4.500',
  enlarge: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  in: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.500 15.500L20 20M11 8.500v5M8.500 11h5',
  out: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.500 15.500L20 20M8.500 11h5',
  back: 'M15 5l-7 7 7 7',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20',
  next: 'M9 5l7 7-7 7',
};

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

export const icon = (name) => lineIcon(name, iconPaths[name]);

export const button = (className, click, ...children) =>
  h('button', { type: 'button', class: className, click }, ...children);

/** Text from outside, isolated so that right-to-left characters cannot reorder the text around it. */
export const bdiText = (text) => h('bdi', {}, text);
