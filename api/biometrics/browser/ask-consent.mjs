import { h } from '../../pages/browser/elements.mjs';
import { icon } from './icons.mjs';
import { giveConsent } from './link-api.mjs';
import { announce, showScreen } from './screen.mjs';
import { texts } from './texts.mjs';

const iconNames = { what: 'document', why: 'check', kept: 'clock', seen: 'eye' };

const renderPoint = ([name, { heading, text }]) =>
  h('li', {}, icon(iconNames[name]), h('div', {}, h('h2', {}, heading), h('p', {}, text)));

/** Shows the consent screen. Resolves to the state of the link when the person has agreed. The camera is not used before. */
export function askConsent() {
  const { heading, lead, points, agree, button, missing, otherwise } = texts.consent;
  return new Promise((resolve, reject) => {
    const checkbox = h('input', { type: 'checkbox', id: 'agree', 'aria-describedby': 'agree-missing' });
    const hint = h('p', { class: 'hint', id: 'agree-missing', hidden: true }, icon('warning'), h('span', {}, missing));
    const continueButton = h('button', { class: 'main', type: 'submit' }, button);
    const form = h(
      'form',
      { novalidate: true },
      h('label', { class: 'agree', for: 'agree' }, checkbox, h('span', {}, agree)),
      hint,
      h('div', { class: 'actions' }, continueButton, h('p', { class: 'small' }, otherwise)),
    );
    checkbox.addEventListener('change', () => {
      if (checkbox.checked) hint.hidden = true;
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!checkbox.checked) {
        hint.hidden = false;
        announce(missing);
        checkbox.focus();
        return;
      }
      continueButton.disabled = true;
      giveConsent().then(resolve, reject);
    });
    const list = h('ul', { class: 'points' }, Object.entries(points).map(renderPoint));
    showScreen({ name: 'consent', heading, step: 1 }, h('p', { class: 'lead' }, lead), list, form);
  });
}
