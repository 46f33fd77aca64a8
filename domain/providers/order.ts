/** A provider in the list of a channel. */
export interface ListedProvider {
  name: string;
  /** Providers with a lower number get messages first. */
  order: number;
  /** The share of the messages that it gets among the providers with the same number. */
  weight: number;
}

/**
 * The providers in the order in which they get a message. `chance`: from 0 to 1, the same for each attempt to send the message, so that all
 * attempts have the same order. `isOpen`: whether the breaker of a provider is open: it comes last, but it still comes, because a provider
 * that fails is better than none.
 */
export function inOrder<Listed extends ListedProvider>(
  providers: readonly Listed[],
  chance: number,
  isOpen: (provider: Listed) => boolean,
): Listed[] {
  const orders = [...new Set(providers.map(({ order }) => order))].toSorted((left, right) => left - right);
  const all = orders.flatMap((one) =>
    byWeight(
      providers.filter(({ order }) => order === one),
      chance,
    ),
  );
  return all.toSorted((left, right) => Number(isOpen(left)) - Number(isOpen(right)));
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
