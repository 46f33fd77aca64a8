import type { Variable } from '../analysis';
import { pairs } from '../scoring/ratings';

/** The facts that conditions can use, with their CEL type. None of them identifies the person. */
export const decisionFacts = {
  score: { type: 'double', about: 'The newest score, 0 to 100; 0 while there is none.' },
  insights: { type: 'list<string>', about: "Codes of what was found, as in 'PH001' in insights." },
  ratings: {
    type: 'map<string,double>',
    about: "The newest rating of a pair, 0 to 5, as in ratings['document-phone']; 0 without one.",
  },
  answers: {
    type: 'map<string,string>',
    about: "By step, its last exit, as in answers['code']; '' while it has none.",
  },
  visits: { type: 'map<string,int>', about: 'By step, how often the run has entered it; 0 when it has not.' },
  transaction: {
    fields: {
      documentType: { type: 'string', about: 'As the caller wrote it, such as CPF.' },
      type: { type: 'int', about: 'The type that the caller gave; 0 without one.' },
      criterion: { type: 'int', about: 'The criterion that the caller gave; 0 without one.' },
      channelId: { type: 'string', about: "The channel that the caller named; '' without one." },
      hasPhone: { type: 'bool', about: 'Whether there is a phone.' },
      hasEmail: { type: 'bool', about: 'Whether there is an e-mail address.' },
      verifiedEmail: {
        type: 'bool',
        about: 'Whether the caller, or the person in this transaction, has confirmed it.',
      },
      phoneCountry: { type: 'int', about: 'Dial code, such as 55; 0 without a phone.' },
      phoneArea: { type: 'int', about: 'Area code, such as 11; 0 without one.' },
      state: { type: 'string', about: "State of the address, such as SP; '' without one." },
      city: { type: 'string', about: "City of the address; '' without one." },
      age: { type: 'int', about: 'Whole years; -1 when it is not known.' },
      generic: {
        type: 'map<string,string>',
        about: "The caller's own fields, as in transaction.generic.plan; '' without one.",
      },
    },
  },
} as const;

/** The key of `ratings` for a pair: document-zip-code for Document and ZipCode. */
export function ratingKey(pair: readonly [Variable, Variable]): string {
  return pair.map((variable) => variable.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()).join('-');
}

/** Every key that `ratings` can have. */
export const ratingKeys: readonly string[] = pairs.map(ratingKey);
