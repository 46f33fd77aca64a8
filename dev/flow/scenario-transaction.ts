import type { YamlMap } from './yaml-place';

/** Who is asked. What is left out is what most people have: a phone, a mailbox, a middling score and no insight. */
export interface ScenarioTransaction {
  /** E.164; null: the transaction has no phone. */
  phone?: string | null;
  /** null: the transaction has no e-mail address. */
  email?: string | null;
  /** 0 to 100, in place of what the analyses would find. */
  score?: number;
  /** Codes, in place of what the analyses would find. */
  insights?: readonly string[];
  /** By pair, such as document-phone: 0 to 5. */
  ratings?: Readonly<Record<string, number>>;
  /** Language of the messages that the person gets. */
  locale?: string;
  /** Further fields of the body of POST /v1/transaction. */
  body?: Readonly<Record<string, unknown>>;
}

function readContact(map: YamlMap, key: 'phone' | 'email', form: RegExp, such: string): string | null | undefined {
  const text = map.text(key);
  if (text === undefined || text === 'none') return text === undefined ? undefined : null;
  return form.test(text) ? text : map.placeOf(key).refuse(`${key} is none, or such as "${such}"`);
}

function readScore(map: YamlMap): number | undefined {
  const score = map.number('score');
  if (score === undefined || (score >= 0 && score <= 100)) return score;
  return map.placeOf('score').refuse('score is a number from 0 to 100');
}

function readRatings(ratings: YamlMap): Record<string, number> {
  return Object.fromEntries(
    ratings.keys.map((key) => {
      const value = ratings.number(key) ?? -1;
      return value >= 0 && value <= 5 ? [key, value] : ratings.placeOf(key).refuse('a rating is a number from 0 to 5');
    }),
  );
}

/** Reads `transaction` of a scenario. Throws ScenarioError. */
export function readTransaction(map: YamlMap): ScenarioTransaction {
  map.allow(['phone', 'email', 'score', 'insights', 'ratings', 'locale', 'body']);
  const ratings = map.map('ratings');
  const found = {
    phone: readContact(map, 'phone', /^\+\d{8,15}$/, '+5511987654321'),
    email: readContact(map, 'email', /^[^@\s]+@[^@\s]+$/, 'maria@example.com'),
    score: readScore(map),
    insights: map.texts('insights')?.map(([code]) => code),
    ratings: ratings && readRatings(ratings),
    locale: map.text('locale'),
    body: map.map('body')?.plain(),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
