const words: readonly string[] = ['start', 'voltar', 'unstop', 'volver'];

/** Whether a person who wanted no messages wants them again. */
export function isOptIn(text: string): boolean {
  return words.includes(
    text
      .trim()
      .toLowerCase()
      .replace(/[.!]+$/, ''),
  );
}
