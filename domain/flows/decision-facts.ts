import type { DataKind } from '../analysis-results';
import { ratedPairs } from '../scoring/ratings';

/** The facts that conditions can use, with their CEL type. None of them identifies the person. */
export const decisionFacts = {
  score: { type: 'double', about: 'The newest score, 0 to 100.' },
  insights: { type: 'list<string>', about: "The codes of the insights. Write 'PH001' in insights." },
  ratings: {
    type: 'map<string,double>',
    about: "The newest rating of each pair, 0 to 5. Write ratings['document-phone']; 0 without a rating.",
  },
  exits: {
    type: 'map<string,string>',
    about: "The last exit of each step. Write exits['code']; '' before the first exit.",
  },
  visits: {
    type: 'map<string,int>',
    about: "How often the run has entered each step. Write visits['code']; 0 before the first visit.",
  },
  transaction: {
    fields: {
      documentType: { type: 'string', about: 'The type of the document as the caller wrote it, such as CPF.' },
      type: {
        type: 'int',
        about:
          'A number that the caller sends in the field type. The service uses it only in conditions; 1 if the field is absent. In this case, `GET` of the transaction shows 1 too.',
      },
      criterion: {
        type: 'int',
        about:
          'A number that the caller sends in the field criterion. The service uses it only in conditions; 0 if the field is absent.',
      },
      channelId: {
        type: 'string',
        about:
          "A text that the caller sends in the field channelId. The service uses it only in conditions; '' if the field is absent.",
      },
      hasPhone: { type: 'bool', about: 'Whether the transaction has a phone.' },
      hasEmail: { type: 'bool', about: 'Whether the transaction has an e-mail address.' },
      verifiedEmail: {
        type: 'bool',
        about: 'Whether the e-mail address is confirmed, by the caller or by the person in this transaction.',
      },
      phoneCountry: { type: 'int', about: 'Dial code, such as 55; 0 without a phone.' },
      phoneArea: { type: 'int', about: 'Area code, such as 11; 0 without one.' },
      state: { type: 'string', about: "State of the address, such as SP; '' without one." },
      city: { type: 'string', about: "City of the address; '' without one." },
      age: { type: 'int', about: 'The age in whole years; -1 if it is not known.' },
      generic: {
        type: 'map<string,string>',
        about: "The fields of genericFields. Write transaction.generic.plan; '' without this field.",
      },
    },
  },
} as const;

/** The key of `ratings` for a pair: document-zip-code for Document and ZipCode. */
export function ratingKey(pair: readonly [DataKind, DataKind]): string {
  return pair.map((kind) => kind.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()).join('-');
}

/** Every key that `ratings` can have. */
export const ratingKeys: readonly string[] = ratedPairs.map(ratingKey);
