import { Problem } from './problem';

/**
 * Returns the result of `work`. If `work` throws a Problem, returns the result of `fallback` instead. If this result is undefined, throws
 * the Problem.
 */
export async function withFallbackOnProblem<Result, Fallback>(
  work: Promise<Result>,
  fallback: () => Promise<Fallback | undefined>,
): Promise<Result | Fallback> {
  try {
    return await work;
  } catch (error) {
    const fallbackResult = error instanceof Problem ? await fallback() : undefined;
    if (fallbackResult === undefined) throw error;
    return fallbackResult;
  }
}
