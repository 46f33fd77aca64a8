import { languageOf } from '../app/language';
import { biometricsTexts, fill } from './biometrics-texts';
import { settings } from './page-settings';

/** Fills the placeholders of all texts in a value, which may be a text, a list or an object. */
function fillAll<Value>(value: Value, values: Readonly<Record<string, string | number>>): Value {
  if (typeof value === 'string') return fill(value, values) as Value;
  if (Array.isArray(value)) return value.map((inner) => fillAll(inner as unknown, values)) as Value;
  const entries = Object.entries(value as object).map(([key, inner]) => [key, fillAll(inner as unknown, values)]);
  return Object.fromEntries(entries) as Value;
}

/** The texts in the language of the transaction. The consent and the last screen depend on the settings of the page. */
function readTexts() {
  const { brand, keptDays, verifiesFaces, announcesMessage } = settings;
  const texts = fillAll(biometricsTexts[languageOf(document.documentElement.lang)], { brand, days: keptDays });
  const { consent, done, doneWithMessage } = texts;
  const seen = verifiesFaces ? consent.seenByVerifier : consent.points.seen;
  return {
    ...texts,
    done: announcesMessage ? doneWithMessage : done,
    consent: { ...consent, points: { ...consent.points, seen } },
  };
}

export const texts = readTexts();
