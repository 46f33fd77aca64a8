import {
  type Links,
  type LinkVariable,
  linkVariables,
  type PairLink,
  type Spread,
} from '../../../domain/scoring/evidence';
import type { Observation } from '../../../domain/scoring/observation';
import type { Surroundings } from '../history';

const dayMs = 86_400_000;

const identifying = ['Document', 'Phone', 'Email', 'Card', 'Session', 'Identifier'] as const satisfies LinkVariable[];

const dateOf = ({ at }: Observation) => new Date(at).toISOString().slice(0, 10);

/** Whether an observation has the same value of a variable as `own`, which must have one. */
const sharesValue = (observation: Observation, own: Observation, variable: LinkVariable) =>
  observation.values[variable] === own.values[variable];

/** Whether the person of an observation has confirmed both values of a pair. */
function confirms({ confirmed }: Observation, [left, right]: PairLink['pair']): boolean {
  if (left === 'Document' && right === 'Phone') return confirmed.phone;
  if (left === 'Document' && right === 'Email') return confirmed.email;
  return left === 'Phone' && right === 'Email' && confirmed.phone && confirmed.email;
}

function findPair(own: Observation, others: readonly Observation[], pair: PairLink['pair']): PairLink[] {
  const [left, right] = pair;
  const withEither = others.filter(
    (one) =>
      one.values[left] !== undefined &&
      one.values[right] !== undefined &&
      (sharesValue(one, own, left) || sharesValue(one, own, right)),
  );
  const together = withEither.filter((one) => sharesValue(one, own, left) && sharesValue(one, own, right));
  const dates = [...new Set(together.map(dateOf))].toSorted();
  const [firstDate, lastDate] = [dates[0], dates.at(-1)];
  if (firstDate === undefined || lastDate === undefined) return [];
  return [
    {
      pair,
      times: together.length,
      dates: dates.filter((date) => date !== dateOf(own)).length,
      firstDate,
      lastDate,
      exclusivity: together.length / withEither.length,
      confirmed: together.filter((one) => confirms(one, pair)).length,
    },
  ];
}

function distinct(observations: readonly Observation[], variable: LinkVariable): number {
  return new Set(observations.flatMap(({ values }) => values[variable] ?? [])).size;
}

function spreadOf(
  own: Observation,
  others: readonly Observation[],
  variable: LinkVariable,
  withinDays: number,
): Spread {
  const sharing = others.filter((one) => sharesValue(one, own, variable));
  const near = ({ at }: Observation) => Math.abs(Date.parse(at) - Date.parse(own.at)) <= withinDays * dayMs;
  const inWindow = [own, ...sharing.filter(near)];
  const denials = sharing.filter(({ denied }) => denied).length;
  const transactions = inWindow.length;
  const cards = own.values.Card === undefined ? {} : { cards: distinct(inWindow, 'Card') };
  if (variable !== 'Document') {
    const ofSession = variable === 'Session' ? cards : {};
    return { transactions, documents: distinct(inWindow, 'Document'), ...ofSession, denials };
  }
  return { transactions, ...cards, phones: distinct(inWindow, 'Phone'), emails: distinct(inWindow, 'Email'), denials };
}

/** The links of a transaction to others. Sharing counts within `withinDays` days before and after it. */
export function findLinks({ own, others: observations }: Surroundings, withinDays: number): Links {
  const others = observations.filter((one) => one.tenant !== own.tenant || one.transactionId !== own.transactionId);
  const present = linkVariables.filter((variable) => own.values[variable] !== undefined);
  const pairs = present.flatMap((left, index) => present.slice(index + 1).map((right) => [left, right] as const));
  const spread = identifying
    .filter((variable) => present.includes(variable))
    .map((variable) => [variable, spreadOf(own, others, variable, withinDays)] as const);
  return {
    pairs: pairs.flatMap(([left, right]) => findPair(own, others, [left, right])),
    spread: Object.fromEntries(spread),
  };
}
