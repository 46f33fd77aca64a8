import { birthdateElement, timeElement, isSameDay } from '../../pages/browser/dates.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';

const fact = (term, ...values) => [h('dt', {}, term), h('dd', {}, ...values)];

const notGiven = () => h('span', { class: 'soft' }, 'not given');

const normalizeName = (name) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase();

/** One fact of the transaction. If another value was given for this link, shows both. */
function comparedFact(term, transactionValue, linkValue, areEqual, renderValue) {
  const value = transactionValue === undefined ? notGiven() : renderValue(transactionValue);
  if (linkValue === undefined) return fact(term, value);
  if (transactionValue !== undefined && areEqual(transactionValue, linkValue)) return fact(term, value);
  const difference = h('span', { class: 'differs' }, icon('warning'), 'given for this link: ', renderValue(linkValue));
  return fact(term, value, difference);
}

const percentOf = (share) => `${Math.round(share * 100)} %`;

function faceFacts(faces) {
  if (!faces) return h('p', { class: 'soft' }, 'The faces were not compared automatically.');
  const { similarity, liveness, selfieFaces, documentFaces, notes } = faces;
  return h(
    'dl',
    {},
    similarity === undefined ? undefined : fact('Face similarity', percentOf(similarity)),
    liveness === undefined ? undefined : fact('Probably a living person', percentOf(liveness)),
    selfieFaces === undefined ? undefined : fact('Faces on the selfie', String(selfieFaces)),
    documentFaces === undefined ? undefined : fact('Faces on the front', String(documentFaces)),
    notes?.length > 0
      ? fact(
          'Notes',
          notes.map((note) => h('span', { class: 'note' }, bdiText(note))),
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
            bdiText(reason),
            h('span', { class: 'soft' }, timeElement(createdAt)),
          ),
        ),
      );

const card = (heading, ...content) => h('section', { class: 'card' }, h('h2', {}, heading), ...content);

/** Cards with the data of the person and of the images. */
export function transactionFacts({ person, given = {}, scores, faces, ...review }) {
  const { name, birthdate, documentType, document: number } = person;
  const timeFact = (term, iso) => (iso ? fact(term, timeElement(iso)) : undefined);
  return [
    card(
      'Person',
      h(
        'dl',
        {},
        comparedFact('Name', name, given.name, (one, other) => normalizeName(one) === normalizeName(other), bdiText),
        comparedFact('Born', birthdate, given.birthdate, isSameDay, birthdateElement),
        fact(documentType, h('bdi', { class: 'mono' }, number)),
      ),
    ),
    card('Faces', faceFacts(faces)),
    card('Scores', scoreList(scores)),
    card(
      'Timeline',
      h(
        'dl',
        {},
        timeFact('Link created', review.createdAt),
        timeFact('Opened', review.openedAt),
        timeFact('Consented', review.consentedAt),
        timeFact('Submitted', review.submittedAt),
      ),
    ),
  ];
}
