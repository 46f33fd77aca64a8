import { h } from '../../pages/browser/elements.mjs';

/** Of what is deleted: whether runs by it go on. */
export const deletedText = ({ running }) => (running ? `Deleted, ${running} still running` : 'Deleted');

/** A word that stands out; `look` is good, plain, or busy. */
export const tag = (look, ...words) => h('span', { class: `tag ${look}` }, words);
