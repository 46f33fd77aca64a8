import { ratingKeys } from '../../domain/flows/decision-facts';
import { bureauCode } from '../../domain/scoring/bureau-code';
import { catalogue } from '../../domain/scoring/catalogue';
import { offerNames } from '../../domain/closest-match';
import { readAll, readEach } from './read-all';
import { refusalsOf } from './stage/person-of';
import type { ScenarioTransaction } from './scenario-transaction';
import type { YamlMap } from './yaml-place';

function readPhone(map: YamlMap): string | null | undefined {
  const phone = map.text('phone');
  if (phone === undefined || phone === 'none') return phone === undefined ? undefined : null;
  if (/^\+55\d{10,11}$/.test(phone)) return phone;
  const place = map.placeOf('phone');
  // How many digits of another number are the country's, and how many the area's, only a table could tell.
  if (/^\+\d{8,15}$/.test(phone))
    return place.refuse('phone is a number of Brazil; give another as body: { phone: { countryCode: …, number: … } }');
  return place.refuse('phone is none, or such as "+5511987654321"');
}

function readEmail(map: YamlMap): string | null | undefined {
  const email = map.text('email');
  if (email === undefined || email === 'none') return email === undefined ? undefined : null;
  if (/^[^@\s]+@[^@\s]+$/.test(email)) return email;
  return map.placeOf('email').refuse('email is none, or such as "maria@example.com"');
}

function readScore(map: YamlMap): number | undefined {
  const score = map.number('score');
  if (score === undefined || (score >= 0 && score <= 100)) return score;
  return map.placeOf('score').refuse('score is a number from 0 to 100');
}

const insightCodes: ReadonlySet<string> = new Set(catalogue.map(({ code }) => code));

function readInsights(map: YamlMap): readonly string[] | undefined {
  const texts = map.texts('insights');
  if (!texts) return undefined;
  return readEach(texts, ([code, place]) => {
    if (insightCodes.has(code) || bureauCode.test(code)) return code;
    return place.refuse(
      `there is no insight ${code}; docs/scoring.md has the codes, and those of bureaus are X, a letter and three digits`,
    );
  });
}

function readRatings(ratings: YamlMap): Record<string, number> {
  return Object.fromEntries(
    readEach(ratings.keys, (key): [string, number] => {
      const place = ratings.placeOf(key);
      if (!ratingKeys.includes(key))
        place.refuse(`there is no pair ${key}. ${offerNames('Name one of the pairs:', key, ratingKeys)}`);
      const value = ratings.number(key) ?? -1;
      return value >= 0 && value <= 5 ? [key, value] : place.refuse('a rating is a number from 0 to 5');
    }),
  );
}

/** What the service would not take is told here: a run of it could only fail. */
function refuseUnfit(map: YamlMap, found: ScenarioTransaction): void {
  readEach(refusalsOf(found), ({ field, why }) => {
    const [top = ''] = field.split('.');
    const place = map.keys.includes(top) ? map.placeOf(top) : (map.map('body')?.placeOf(top) ?? map.place);
    place.refuse(`POST /v1/transaction would refuse it: ${field} ${why}`);
  });
}

/** Reads `transaction` of a scenario. Throws ScenarioError. */
export function readTransaction(map: YamlMap): ScenarioTransaction {
  const [, person, score, insights, ratings] = readAll(
    () => map.allow(['phone', 'email', 'score', 'insights', 'ratings', 'locale', 'body']),
    () => readPerson(map),
    () => readScore(map),
    () => readInsights(map),
    () => {
      const pairs = map.map('ratings');
      return pairs && readRatings(pairs);
    },
  );
  return { ...person, ...given({ score, insights, ratings }) };
}

const given = (fields: object): ScenarioTransaction =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Who the person is, as a caller would send it. */
function readPerson(map: YamlMap): ScenarioTransaction {
  const [phone, email, locale, body] = readAll(
    () => readPhone(map),
    () => readEmail(map),
    () => map.text('locale'),
    () => map.map('body')?.plain(),
  );
  const found = given({ phone, email, locale, body });
  refuseUnfit(map, found);
  return found;
}
