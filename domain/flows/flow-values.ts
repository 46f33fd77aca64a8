import { type Language, languages } from '../transactions/input';

/**
 * A text of the caller that the messages and pages of a flow run show, such as the amount of a payment. The code of the person belongs to the
 * values, so with other values it is wrong.
 */
export interface FlowValue {
  /** `text`: one line. `amount`: a decimal number with its currency, such as 12.50 BRL. */
  type: 'text' | 'amount';
  /** Of a text, which must have this field. */
  maxCharacters?: number;
  /** The name of the value on pages. */
  label: Record<Language, string>;
}

export type FlowValues = Readonly<Record<string, FlowValue>>;

/** Limits of values. A person reads all of them before the code, on a phone. */
export const valueLimits = {
  values: 5,
  /** A range. */
  textCharacters: [1, 60],
  labelCharacters: 30,
  /** The digits, separators and currency of an amount as people read it, such as 999.999.999.999,999 BRL. */
  amountCharacters: 24,
} as const;

/** In texts, a value is a placeholder with this name, such as {{amount}}. */
export const valueName = /^[a-z][a-zA-Z0-9]{0,29}$/;

/** The placeholders of the service. */
export const reservedNames: readonly string[] = ['brand', 'code', 'hours', 'link', 'minutes'];

/** A value as the person reads it. */
export interface ShownValue {
  label: string;
  text: string;
}

/** The values of a confirmation. */
export interface ConfirmationValues {
  /** A hash of the values that the caller gave. */
  hash: string;
  shown: Record<Language, readonly ShownValue[]>;
}

/** The values of a flow run: the texts by language and name. */
export interface RunValues {
  hash: string;
  texts: Record<Language, Readonly<Record<string, string>>>;
}

/** For each value, a text as long as it can be, of a letter outside of the GSM alphabet. With it, an SMS has the most segments. */
export const longestTexts = (values: FlowValues = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, { type, maxCharacters }]) => [
      name,
      'ã'.repeat(type === 'amount' ? valueLimits.amountCharacters : (maxCharacters ?? valueLimits.textCharacters[1])),
    ]),
  );

/** Texts for a flow without a run, such as in a simulation: the labels of the values. */
export const sampleValues = (values: FlowValues = {}): RunValues => ({
  hash: '',
  texts: inEachLanguage((language) =>
    Object.fromEntries(Object.entries(values).map(([name, { label }]) => [name, label[language]])),
  ),
});

/** What pages show: each value with its label. */
export const shownValues = (values: FlowValues, { hash, texts }: RunValues): ConfirmationValues => ({
  hash,
  shown: inEachLanguage((language) =>
    Object.entries(values).map(([name, { label }]) => ({ label: label[language], text: texts[language][name] ?? '' })),
  ),
});

export const inEachLanguage = <Value>(valueOf: (language: Language) => Value): Record<Language, Value> =>
  Object.fromEntries(languages.map((language) => [language, valueOf(language)])) as Record<Language, Value>;
