import { Problem } from './problem';

/** Returns the result; after a Problem, the fallback; without one, throws the Problem. */
export async function orFallback<Result, Fallback>(
  work: Promise<Result>,
  fallback: () => Promise<Fallback | undefined>,
): Promise<Result | Fallback> {
  try {
    return await work;
  } catch (error) {
    const other = error instanceof Problem ? await fallback() : undefined;
    if (other === undefined) throw error;
    return other;
  }
}
