import { h, icon } from '../../pages/browser/elements.mjs';
import { hashes } from './addresses.mjs';

/** Creates a form to find the runs of a transaction by its id. */
export function runSearchForm(transaction = '') {
  const input = h('input', {
    ...{ id: 'transaction', value: transaction, required: true, maxlength: '100' },
    ...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', placeholder: 'Id of a transaction' },
  });
  const submit = (event) => {
    event.preventDefault();
    const id = input.value.trim();
    if (id) location.hash = hashes.runs(id);
  };
  return h(
    'form',
    { class: 'find', role: 'search', submit },
    h('label', { for: 'transaction' }, 'Runs of a transaction'),
    h('div', { class: 'find-row' }, input, h('button', { class: 'plain' }, icon('search'), 'Show runs')),
  );
}
