import { button, h } from '../../pages/browser/elements.mjs';
import { hint } from './prepare-capture.mjs';
import { showScreen } from './screen.mjs';
import { texts } from './texts.mjs';

/** Shows the picture. Resolves to whether the person uses it. A picture with issues can be used only if `mayInsist`. */
export function reviewImage({ kind, step }, { blob }, issues, mayInsist) {
  const { heading, ask, use, again, doubt, anyway } = texts.review;
  const url = URL.createObjectURL(blob);
  const image = h('img', { class: `shot shot-${kind}`, src: url, alt: texts.captures[kind].shot });
  const hasIssues = issues.length > 0;
  return new Promise((resolve) => {
    const actions = hasIssues
      ? [button('main', () => resolve(false), again), mayInsist && button('plain', () => resolve(true), anyway)]
      : [button('main', () => resolve(true), use), button('plain', () => resolve(false), again)];
    showScreen(
      { name: 'review', heading: hasIssues ? doubt : heading, step },
      hasIssues ? issues.map((issue) => hint(texts.issues[issue])) : h('p', { class: 'lead' }, ask),
      image,
      h('div', { class: 'actions' }, ...actions),
    );
  }).finally(() => URL.revokeObjectURL(url));
}
