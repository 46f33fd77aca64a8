import { h } from '../../team-page/page/elements.mjs';

/** A word that stands out; `look` is good, plain, or busy. */
export const tag = (look, ...words) => h('span', { class: `tag ${look}` }, words);
