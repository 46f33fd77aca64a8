/** How long the button says that it has copied the code, or that the browser does not allow this. */
const shownMs = 2_000;

/** Adds to each block of code a button that copies the code. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button button-small code-copy';
    button.textContent = 'Copy';
    const show = (text: string) => {
      button.textContent = text;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, shownMs);
    };
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => show('Copied'),
        () => show('Not allowed'),
      );
    });
    block.append(button);
  }
}
