import { button, h } from './elements.mjs';
import { hint } from './prepare-capture.mjs';
import { show } from './screen.mjs';
import { texts } from './shell.mjs';

/** Shows the shot. Resolves to whether it is used; one with faults can be used only when the person may insist. */
export function reviewImage({ kind, step }, { blob }, faults, mayInsist) {
  const { heading, ask, use, again, doubt, anyway } = texts.review;
  const url = URL.createObjectURL(blob);
  const image = h('img', { class: `shot shot-${kind}`, src: url, alt: texts.captures[kind].shot });
  const flawed = faults.length > 0;
  return new Promise((resolve) => {
    const actions = flawed
      ? [button('main', again, () => resolve(false)), mayInsist && button('plain', anyway, () => resolve(true))]
      : [button('main', use, () => resolve(true)), button('plain', again, () => resolve(false))];
    show(
      { name: 'review', heading: flawed ? doubt : heading, step },
      flawed ? faults.map((fault) => hint(texts.faults[fault])) : h('p', { class: 'lead' }, ask),
      image,
      h('div', { class: 'actions' }, ...actions),
    );
  }).finally(() => URL.revokeObjectURL(url));
}
