import { Problem } from './problem';

/** The result of a piece of work; where a problem is in its way, what there is instead, and the problem where that is nothing. */
export async function orFallback<Result, Instead>(
  work: Promise<Result>,
  instead: () => Promise<Instead | undefined>,
): Promise<Result | Instead> {
  try {
    return await work;
  } catch (error) {
    const other = error instanceof Problem ? await instead() : undefined;
    if (other === undefined) throw error;
    return other;
  }
}
