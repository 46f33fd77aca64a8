import type { Channel } from '../confirmations/settings';

/** The owner of the providers in MESSAGING. */
export const serviceOwner = '*';
/** The beginning of the names of a tenant's own providers, in logs and in the table `sends`. No provider of the service begins so. */
export const ownProviderPrefix = 'own/';
/** The id of a message at a tenant's own provider. So no provider of one tenant can name a message of another. */
export const ownProviderId = (tenant: string, id: string): string => `${ownProviderPrefix}${tenant}/${id}`;

/** The messages of one provider on one channel to one country. */
export interface Lane {
  /** The tenant whose provider it is, or `*` for a provider of the service. */
  owner: string;
  channel: Channel;
  provider: string;
  /** Dial code. Empty for e-mail. */
  country: string;
}

/** Whether messages go to a provider in the usual order. */
export type LaneState = 'working' | 'failing' | 'slow';

/** What a provider can do. */
export interface Abilities {
  /** Searches the messages of the provider. Absent: the provider cannot be asked. */
  find?: unknown;
  /** Whether a repeated request gives the person no second message: the provider or the mailbox recognizes it by an id. */
  recognizesRepeats?: true;
  /** Whether it never reports that a message arrived. */
  withoutReports?: true;
  /** Whether a person cannot reply to its messages, so that it gets no questions. */
  withoutReplies?: true;
}

/**
 * What happens to a message if nobody can find out whether a provider has it. `once`: no other provider gets it, so the person never gets it
 * twice. `prompt`: the next provider gets it, so the person gets it soon, and perhaps twice.
 */
export type WhenUnknown = 'once' | 'prompt';

/** A provider in the list of a channel. */
export interface ListedProvider {
  name: string;
  /** Providers with a lower number get messages first. */
  order: number;
  /** The share of the messages that it gets among the providers with the same number. */
  weight: number;
  provider: Abilities;
  /** The dial codes of the countries to which it sends. Absent: all. */
  countries?: readonly string[];
}

/**
 * Why a provider gets messages after the others, the worst last. `slow`: too many of its messages arrive late. `failing`: its breaker is open.
 * `full`: it has as many messages in this second as it may get.
 */
const hindrances = ['slow', 'failing', 'full'] as const;
export type Hindrance = (typeof hindrances)[number];

/**
 * The providers in the order in which they get a message. `chance`: from 0 to 1, the same for each attempt to send the message, so that all
 * attempts have the same order. A provider with a hindrance comes later, but it still comes, because a provider that fails is better than
 * none.
 */
export function inOrder<Listed extends ListedProvider>(
  providers: readonly Listed[],
  chance: number,
  hindranceOf: (provider: Listed) => Hindrance | undefined,
): Listed[] {
  const orders = [...new Set(providers.map(({ order }) => order))].toSorted((left, right) => left - right);
  const all = orders.flatMap((one) =>
    byWeight(
      providers.filter(({ order }) => order === one),
      chance,
    ),
  );
  const rankOf = (listed: Listed) => {
    const hindrance = hindranceOf(listed);
    return hindrance === undefined ? -1 : hindrances.indexOf(hindrance);
  };
  return all.toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** Whether a provider can send a message. `country`: the dial code of its phone. Empty: not a phone that can exist. */
export const canSend = ({ provider, countries }: ListedProvider, country: string, isQuestion: boolean): boolean =>
  (!countries || country === '' || countries.includes(country)) && !(isQuestion && provider.withoutReplies);

/**
 * The providers that may get a message whose outcome at `holder` is unknown, after a search. Absent: the provider is no longer in the
 * settings.
 */
export function afterUnknown<Provider extends Abilities>(
  providers: readonly Provider[],
  holder: Provider | undefined,
  whenUnknown: WhenUnknown,
): readonly Provider[] {
  const others = providers.filter((provider) => provider !== holder);
  // The provider has answered that it does not have the message.
  if (holder?.find) return [...others, holder];
  const again = holder?.recognizesRepeats ? [holder] : [];
  return whenUnknown === 'prompt' ? [...others, ...again] : again;
}

/** The provider whose share contains `chance`, then the others as they are listed. */
function byWeight<Listed extends ListedProvider>(group: readonly Listed[], chance: number): Listed[] {
  const total = group.reduce((sum, { weight }) => sum + weight, 0);
  let end = 0;
  const chosen = group.find(({ weight }) => {
    end += weight;
    return chance * total < end;
  });
  return chosen ? [chosen, ...group.filter((other) => other !== chosen)] : [...group];
}
