const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an element. Text children become text nodes, so a message is never interpreted as HTML. Attributes that are undefined,
 * null or false are omitted; functions are event listeners.
 */
export function createElement(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

const iconPaths = {
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  back: 'M15 5l-7 7 7 7',
  send: 'M5 12h13M12 5l7 7-7 7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  reply: 'M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  tick: 'M5 13l4 4 10-11',
  ticks: 'M1 13l4 4 10-11M9 16l1 1 11-11',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
};

/** A line icon. Without a label it is decoration. */
export function createIcon(name, label) {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', iconPaths[name]);
  svg.append(path);
  return svg;
}

/**
 * Returns a function that shows items as children of a parent. It replaces an element only when its signature changes, so that
 * focus, frames and selections survive other updates.
 */
export function createListRenderer(parent) {
  let shownItems = new Map();
  return (items, keyOf, signatureOf, render) => {
    const nextItems = new Map();
    for (const item of items) {
      const signature = signatureOf(item);
      const shownItem = shownItems.get(keyOf(item));
      nextItems.set(keyOf(item), shownItem?.signature === signature ? shownItem : { signature, element: render(item) });
    }
    const elements = [...nextItems.values()].map(({ element }) => element);
    for (const child of [...parent.children]) if (!elements.includes(child)) child.remove();
    elements.forEach((element, index) => {
      if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
    });
    shownItems = nextItems;
  };
}

let toastTimer;

/** Shows a short notice, also to screen readers. */
export function showToast(text) {
  const element = document.getElementById('toast');
  element.textContent = text;
  element.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove('shown'), 2_400);
}

export async function copyText(text, successText) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(successText);
  } catch {
    showToast(`Could not copy. Select it by hand: ${text}`);
  }
}
