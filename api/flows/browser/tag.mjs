import { h } from '../../pages/browser/elements.mjs';

/** `running`: the number of runs that still continue. */
export const deletedText = ({ running }) => (running ? `Deleted, ${running} still running` : 'Deleted');

/** `style`: good, plain or busy. */
export const tag = (style, ...children) => h('span', { class: `tag ${style}` }, children);
