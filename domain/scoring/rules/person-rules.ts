import type { Evidence } from '../evidence';
import { fullOrNoPoints, type Rule } from '../rule';

/** Whether the fiscal region of the CPF includes the state of the postal code. Undefined if one of them is not known. */
function regionFits({ document: { states }, postalCode }: Evidence): boolean | undefined {
  return states && postalCode?.state ? states.includes(postalCode.state) : undefined;
}

/** The rules about the document. */
export const documentRules: readonly Rule[] = [
  /** DC001: the check digits are wrong. A document of an unknown kind cannot be checked. */
  {
    code: 'DC001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'Os dígitos verificadores do documento não conferem.',
      en: 'The check digits of the document are wrong.',
      es: 'Los dígitos verificadores del documento no coinciden.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'unknown'
        ? undefined
        : fullOrNoPoints(document.checkDigits === 'wrong', { kind: document.kind, checkDigits: document.checkDigits }),
  },
  /** DC002: the document has only one digit, repeated. A CPF such as 111.111.111-11 has right check digits, but was never issued. */
  {
    code: 'DC002',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'O documento repete um único dígito.',
      en: 'The document repeats a single digit.',
      es: 'El documento repite un único dígito.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'unknown' ? undefined : fullOrNoPoints(document.repeated, { repeated: document.repeated }),
  },
  /** DC003: CPF and postal code belong to the same region (positive) or to different regions (neutral, because people move). */
  {
    code: 'DC003',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Document', 'ZipCode'],
    text: {
      'pt-BR': 'A região fiscal do CPF inclui o estado do CEP.',
      en: 'The fiscal region of the CPF includes the state of the postal code.',
      es: 'La región fiscal del CPF incluye el estado del código postal.',
    },
    evaluate: ({ evidence }) => {
      const within = regionFits(evidence);
      return within === undefined ? undefined : fullOrNoPoints(within, { regionFits: within });
    },
  },
  {
    code: 'DC003',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Document', 'ZipCode'],
    text: {
      'pt-BR': 'A região fiscal do CPF não inclui o estado do CEP.',
      en: 'The fiscal region of the CPF does not include the state of the postal code.',
      es: 'La región fiscal del CPF no incluye el estado del código postal.',
    },
    evaluate: ({ evidence }) => {
      const within = regionFits(evidence);
      return within === undefined ? undefined : fullOrNoPoints(!within, { regionFits: within });
    },
  },
  /** DC004: the CNPJ has letters. Only companies registered since July 2026 have such a CNPJ. */
  {
    code: 'DC004',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'O CNPJ está no formato alfanumérico.',
      en: 'The CNPJ is in the alphanumeric format.',
      es: 'El CNPJ está en el formato alfanumérico.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'CNPJ'
        ? fullOrNoPoints(document.alphanumeric, { alphanumeric: document.alphanumeric })
        : undefined,
  },
  /**
   * DC005: a document was used with several phones or e-mail addresses. A person has only a few phones and e-mail addresses, so the document
   * may be stolen.
   */
  {
    code: 'DC005',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Phone', 'Email'],
    text: {
      'pt-BR': 'O documento foi visto com vários telefones ou e-mails em poucos dias.',
      en: 'The document was seen with several phones or e-mail addresses within a few days.',
      es: 'El documento fue visto con varios teléfonos o correos electrónicos en pocos días.',
    },
    evaluate({ evidence: { links }, thresholds: { contactsOfDocument, sharedWithinDays } }) {
      const { phones, emails } = links?.countsByKind.Document ?? {};
      if (phones === undefined && emails === undefined) return undefined;
      return fullOrNoPoints(Math.max(phones ?? 0, emails ?? 0) >= contactsOfDocument, {
        ...(phones === undefined ? {} : { phones }),
        ...(emails === undefined ? {} : { emails }),
        withinDays: sharedWithinDays,
      });
    },
  },
];

/** The rules about the name, the mother and the age of the person. */
export const personRules: readonly Rule[] = [
  /** NM001: the name is unusual or has only one word. This costs no points, because some people have such a name. */
  {
    code: 'NM001',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Name'],
    text: {
      'pt-BR': 'O nome tem uma só palavra ou caracteres incomuns.',
      en: 'The name has one word only, or unusual characters.',
      es: 'El nombre tiene una sola palabra o caracteres inusuales.',
    },
    evaluate: ({ evidence: { name } }) =>
      name && fullOrNoPoints(name.words < 2 || name.unusual, { words: name.words, unusual: name.unusual }),
  },
  /** NM002: person and mother share a family name. If their whole names are equal, NM003 holds instead. */
  {
    code: 'NM002',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Name', 'MothersName'],
    text: {
      'pt-BR': 'A pessoa e a mãe têm um sobrenome em comum.',
      en: 'The person and the mother share a family name.',
      es: 'La persona y la madre tienen un apellido en común.',
    },
    evaluate({ evidence: { mother } }) {
      if (!mother) return undefined;
      const { sharesFamilyName, sameAsPerson } = mother;
      return fullOrNoPoints(sharesFamilyName && !sameAsPerson, { sharesFamilyName, sameAsPerson });
    },
  },
  /** NM003: the names of person and mother are equal. This is probably a mistake in the form. */
  {
    code: 'NM003',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Name', 'MothersName'],
    text: {
      'pt-BR': 'O nome da mãe é o mesmo da pessoa.',
      en: "The mother's name is the same as the person's.",
      es: 'El nombre de la madre es el mismo de la persona.',
    },
    evaluate: ({ evidence: { mother } }) =>
      mother && fullOrNoPoints(mother.sameAsPerson, { sameAsPerson: mother.sameAsPerson }),
  },
  /** BD001: the age is outside the limits of the policy. The details omit the age: together with a date, it can reveal the birthday. */
  {
    code: 'BD001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Birthdate'],
    text: {
      'pt-BR': 'A idade está fora da faixa aceita.',
      en: 'The age is outside the accepted range.',
      es: 'La edad está fuera del rango aceptado.',
    },
    evaluate({ evidence: { age }, thresholds: { ageMin, ageMax } }) {
      if (age === undefined) return undefined;
      const side = age < ageMin ? 'below' : age > ageMax ? 'above' : 'within';
      return fullOrNoPoints(side !== 'within', { age: side, ageMin, ageMax });
    },
  },
];
