import { birthday, instant, sameDay } from '../../pages/browser/dates.mjs';
import { foreign, h, icon } from '../../pages/browser/elements.mjs';

const fact = (term, ...values) => [h('dt', {}, term), h('dd', {}, ...values)];

const missing = () => h('span', { class: 'soft' }, 'not given');

const named = (name) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase();

/** The person as given for this link, if it differs from the transaction. */
function compared(term, own, given, isSame, shown) {
  const value = own === undefined ? missing() : shown(own);
  if (given === undefined) return fact(term, value);
  if (own !== undefined && isSame(own, given)) return fact(term, value);
  const other = h('span', { class: 'differs' }, icon('warning'), 'for this link: ', shown(given));
  return fact(term, value, other);
}

const percentOf = (share) => `${Math.round(share * 100)} %`;

function faceFacts(faces) {
  if (!faces) return h('p', { class: 'soft' }, 'The faces were not compared automatically.');
  const { similarity, liveness, selfieFaces, documentFaces, notes } = faces;
  return h(
    'dl',
    {},
    similarity === undefined ? undefined : fact('Likeness', percentOf(similarity)),
    liveness === undefined ? undefined : fact('Living person', percentOf(liveness)),
    selfieFaces === undefined ? undefined : fact('Faces on the selfie', String(selfieFaces)),
    documentFaces === undefined ? undefined : fact('Faces on the front', String(documentFaces)),
    notes?.length > 0
      ? fact(
          'Notes',
          notes.map((note) => h('span', { class: 'note' }, foreign(note))),
        )
      : undefined,
  );
}

const scoreList = (scores) =>
  scores.length === 0
    ? h('p', { class: 'soft' }, 'No score yet.')
    : h(
        'ul',
        { class: 'scores' },
        scores.map(({ value, reason, createdAt }) =>
          h(
            'li',
            {},
            h('span', { class: 'strong' }, String(value)),
            foreign(reason),
            h('span', { class: 'soft' }, instant(createdAt)),
          ),
        ),
      );

const card = (heading, ...content) => h('section', { class: 'card' }, h('h2', {}, heading), ...content);

/** Cards with the data of the person and of the images. */
export function transactionFacts({ person, given = {}, scores, faces, ...review }) {
  const { name, birthdate, documentType, document: number } = person;
  const at = (term, iso) => (iso ? fact(term, instant(iso)) : undefined);
  return [
    card(
      'Person',
      h(
        'dl',
        {},
        compared('Name', name, given.name, (one, other) => named(one) === named(other), foreign),
        compared('Born', birthdate, given.birthdate, sameDay, birthday),
        fact(documentType, h('bdi', { class: 'mono' }, number)),
      ),
    ),
    card('Faces', faceFacts(faces)),
    card('Scores', scoreList(scores)),
    card(
      'Course',
      h(
        'dl',
        {},
        at('Link made', review.createdAt),
        at('Opened', review.openedAt),
        at('Consented', review.consentedAt),
        at('Submitted', review.submittedAt),
      ),
    ),
  ];
}
