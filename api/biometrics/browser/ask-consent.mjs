import { h } from '../../pages/browser/elements.mjs';
import { icon } from './icons.mjs';
import { giveConsent } from './link-api.mjs';
import { announce, show } from './screen.mjs';
import { texts } from './texts.mjs';

const iconOf = { what: 'document', why: 'check', kept: 'clock', seen: 'eye' };

const point = ([name, { heading, text }]) =>
  h('li', {}, icon(iconOf[name]), h('div', {}, h('h2', {}, heading), h('p', {}, text)));

/** The first step: the page does not use the camera before the person agrees. Resolves to the session. */
export function askConsent() {
  const { heading, lead, points, agree, button, missing, otherwise } = texts.consent;
  return new Promise((resolve, reject) => {
    const box = h('input', { type: 'checkbox', id: 'agree', 'aria-describedby': 'agree-missing' });
    const hint = h('p', { class: 'hint', id: 'agree-missing', hidden: true }, icon('warning'), h('span', {}, missing));
    const goOn = h('button', { class: 'main', type: 'submit' }, button);
    const form = h(
      'form',
      { novalidate: true },
      h('label', { class: 'agree', for: 'agree' }, box, h('span', {}, agree)),
      hint,
      h('div', { class: 'actions' }, goOn, h('p', { class: 'small' }, otherwise)),
    );
    box.addEventListener('change', () => {
      if (box.checked) hint.hidden = true;
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!box.checked) {
        hint.hidden = false;
        announce(missing);
        box.focus();
        return;
      }
      goOn.disabled = true;
      giveConsent().then(resolve, reject);
    });
    const list = h('ul', { class: 'points' }, Object.entries(points).map(point));
    show({ name: 'consent', heading, step: 1 }, h('p', { class: 'lead' }, lead), list, form);
  });
}
